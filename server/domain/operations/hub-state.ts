import { int4, int8, notNull, nullable, text, textOf, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import type { FailureCause } from "../../providers/failure";
import { selectUnsettledSql } from "../generations/row/sql";
import { ONLINE_MS } from "../workers";
import type { OperationsHub } from "./hub";

const HOUR_MS = 3_600_000;

/**
 * Returns the current work of the hub: generations that have not ended by model, pending webhook deliveries, the workers
 * that are online, and the failed attempts of the last hour. Amounts are in EUR.
 */
export async function getHubState(hub: OperationsHub) {
  const now = hub.now();
  const [queues, [deliveries], failures] = await Promise.all([
    selectQueues(hub.db),
    selectBacklog(hub.db),
    selectFailures(hub.db, new Date(now.getTime() - HOUR_MS), now),
  ]);
  const workers = [...hub.presence.values()].filter(({ seen }) => now.getTime() - seen < ONLINE_MS);
  return {
    held: toEuros(queues.reduce((sum, { held }) => sum + held, 0n)),
    queues: queues.map(({ model, queued, awaiting_supply, running, oldest_queued_at }) => ({
      model,
      queued,
      awaiting_supply,
      running,
      oldest_queued_at: oldest_queued_at?.toISOString() ?? null,
    })),
    workers: workers.map(({ name }) => name).sort(),
    deliveries: {
      pending: deliveries!.pending,
      oldest_at: deliveries!.oldest_at?.toISOString() ?? null,
    },
    failures: failures.map(serializeFailure),
  };
}

const selectQueues = statement({
  params: [],
  row: {
    model: text,
    queued: notNull(int4),
    awaiting_supply: notNull(int4),
    running: notNull(int4),
    oldest_queued_at: nullable(timestamptz),
    held: notNull(int8),
  },
  text: `
    WITH unsettled AS (${selectUnsettledSql("model, status, created_at, estimated_cost")})
    SELECT model, (count(*) FILTER (WHERE status = 'queued'))::int AS queued,
           (count(*) FILTER (WHERE status = 'awaiting_supply'))::int AS awaiting_supply,
           (count(*) FILTER (WHERE status = 'running'))::int AS running,
           min(created_at) FILTER (WHERE status = 'queued') AS oldest_queued_at,
           sum(estimated_cost)::bigint AS held
    FROM unsettled GROUP BY model ORDER BY queued DESC, running DESC, model LIMIT 200`,
});

const selectBacklog = statement({
  params: [],
  row: { pending: notNull(int4), oldest_at: nullable(timestamptz) },
  text: `
    SELECT count(*)::int AS pending, min(e.created_at) AS oldest_at
    FROM delivery d JOIN event e ON e.n = d.event_n WHERE d.state = 'pending'`,
});

const failureColumns = {
  provider: text,
  cause: textOf<FailureCause | "unknown">(),
  count: notNull(int4),
  latest_at: notNull(timestamptz),
};

/** Whose fault a failure is, by its cause. */
const faults: Record<FailureCause | "unknown", "customer" | "hub" | "provider"> = {
  job: "customer",
  account: "hub",
  capacity: "provider",
  outage: "provider",
  unknown: "provider",
};

const serializeFailure = ({ latest_at, ...failure }: RowOf<typeof failureColumns>) => ({
  ...failure,
  fault: faults[failure.cause],
  latest_at: latest_at.toISOString(),
});

// A job that a route did not accept has the outcome `refused`; without a cause, the hub itself took it back.
const selectFailures = statement({
  params: [timestamptz, timestamptz],
  row: failureColumns,
  text: `
    SELECT provider, coalesce(cause, 'unknown') AS cause, count(*)::int AS count, max(ended_at) AS latest_at
    FROM attempt WHERE ended_at > $1 AND ended_at <= $2
      AND (outcome IN ('failed', 'lost') OR (outcome = 'refused' AND cause IS NOT NULL))
    GROUP BY 1, 2 ORDER BY count DESC, provider LIMIT 100`,
});
