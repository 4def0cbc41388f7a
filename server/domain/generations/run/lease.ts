import {
  array,
  bool,
  float4,
  int4,
  int8Number,
  json,
  jsonb,
  jsonText,
  notNull,
  nullable,
  text,
  timestamptz,
  uuid,
} from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { newId } from "../../../lib/id";
import { maxRunningSql, takeSlotSql } from "../../accounts/sql";
import { dispatchDeliveries, type PendingDelivery } from "../../events";
import { emitEventsSql, pendingDeliveriesSql } from "../../events/sql";
import { recordGenerationStart } from "../../metrics";
import { reportChange } from "../changes";
import { columns, columnsSql } from "../row/sql";
import { reportedGpuMsSql } from "../end/sql";
import { snapshotSql } from "../read/sql";
import type { RunHub } from "./hub";

/** How long a lease lasts after its last heartbeat. */
export const LEASE_SECONDS = 60;

const leasedColumns = {
  ...columns,
  lease_id: notNull(uuid),
  fence: int4,
  lease_expires_at: notNull(timestamptz),
  /** The checkpoint of an earlier worker, or null. */
  checkpoint: nullable(json<unknown>()),
  deadline_at: notNull(timestamptz),
};

/** A generation and its new lease. */
export type LeasedJob = RowOf<typeof leasedColumns>;

/**
 * Leases the next job of these models, or returns null. Accounts with a free slot take turns by their weights,
 * each with its first job by priority and age.
 * The same statement starts the generation, inserts its attempt, and emits `generation.running` the first time.
 */
export async function leaseNextJob(
  hub: RunHub,
  { tokenId }: { tokenId: string | null },
  models: string[],
): Promise<LeasedJob | null> {
  for (;;) {
    const [row] = await leaseOldest(hub.db, {
      models,
      now: hub.now(),
      max_running: hub.env.RUNNING_PER_ACCOUNT,
      lease_id: newId(),
      token_id: tokenId,
    });
    if (!row) return null;
    const { deliveries, ...job } = row;
    // Another worker has just taken the account's last slot.
    if (job.id === null) continue;
    dispatchDeliveries(hub, deliveries);
    reportChange(hub, job.id);
    if (job.fence === 1) {
      const waitMs = hub.now().getTime() - job.created_at.getTime();
      recordGenerationStart(hub, job.model, waitMs / 1000);
    }
    return job;
  }
}

const claimableSql =
  "g.status = 'queued' AND g.provider = 'worker' AND (g.external_inputs IS NULL OR g.inputs_ready_at IS NOT NULL)";

const leaseOldest = statement({
  params: { models: array(text), now: timestamptz, max_running: int4, lease_id: uuid, token_id: nullable(uuid) },
  row: {
    ...leasedColumns,
    follows_events: bool,
    webhook: nullable(jsonb<unknown>()),
    deliveries: nullable(json<PendingDelivery[]>()),
  },
  shownIn: "server/domain/generations/run/lease.sql",
  text: `
    -- The first job of each account and model. An index skip scan finds it, however long the queues are.
    WITH RECURSIVE queue_head AS (
      SELECT first.* FROM unnest(:models::text[]) AS requested (model) CROSS JOIN LATERAL (
        SELECT g.model, g.account_id, g.id FROM generation g WHERE g.model = requested.model AND ${claimableSql}
        ORDER BY g.account_id, g.priority DESC, g.id LIMIT 1) first
      UNION ALL
      SELECT next.* FROM queue_head CROSS JOIN LATERAL (
        SELECT g.model, g.account_id, g.id FROM generation g
        WHERE g.model = queue_head.model AND g.account_id > queue_head.account_id AND ${claimableSql}
        ORDER BY g.account_id, g.priority DESC, g.id LIMIT 1) next
    ),
    -- The job of the account whose turn it is. Jobs that other workers are leasing at the moment are skipped.
    picked AS MATERIALIZED (
      SELECT job.* FROM (
        SELECT queue_head.model, queue_head.account_id FROM queue_head
        -- LATERAL with LIMIT 1 forces an index lookup: a join would read all accounts.
        CROSS JOIN LATERAL (SELECT a.last_lease_number FROM account a WHERE a.id = queue_head.account_id AND a.running < ${maxRunningSql("a", ":max_running")} LIMIT 1) a
        ORDER BY a.last_lease_number, queue_head.account_id, queue_head.id
      ) candidate CROSS JOIN LATERAL (
        SELECT g.id, g.account_id, g.fence, g.started_at, g.gpu_ms, g.timeout_seconds FROM generation g
        WHERE g.model = candidate.model AND g.account_id = candidate.account_id AND ${claimableSql}
        ORDER BY g.priority DESC, g.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) job LIMIT 1
    ),
    ${takeSlotSql({ starting: "picked", max: ":max_running", isLease: true })},
    -- The generation under its new lease.
    started AS (
      UPDATE generation g SET
        status = 'running', started_at = coalesce(picked.started_at, :now), fence = picked.fence + 1,
        leased_at = :now, metered_at = :now, gpu_ms = picked.gpu_ms, gpu_ms_before_lease = picked.gpu_ms,
        deadline_at = :now::timestamptz + picked.timeout_seconds * interval '1 second',
        lease_expires_at = :now::timestamptz + least(picked.timeout_seconds, ${LEASE_SECONDS}) * interval '1 second'
      FROM picked JOIN slot ON slot.id = picked.account_id WHERE g.id = picked.id
      RETURNING ${columnsSql("g")}, g.fence, g.lease_expires_at, g.checkpoint,
                slot.follows_events AND g.fence = 1 AS follows_events, CASE g.fence WHEN 1 THEN g.webhook END AS webhook
    ),
    -- Its attempt.
    leased AS (
      INSERT INTO attempt (generation_id, n, route, provider, started_at, lease_id, worker_token_id)
      SELECT id, fence, 'worker', 'worker', :now, :lease_id, :token_id::uuid FROM started
      RETURNING generation_id, lease_id
    ),
    ${emitEventsSql({
      event: "generation.running",
      changed: "started",
      at: ":now",
      snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }),
      hasOwnWebhooks: true,
    })}
    SELECT started.*, leased.lease_id, ${pendingDeliveriesSql("started.id")}
    FROM picked LEFT JOIN started USING (id) LEFT JOIN leased ON leased.generation_id = started.id`,
});

/** Renews a live lease and stores its report: progress, GPU time in ms and checkpoint. Returns nothing for another. */
export const renewLease = statement({
  params: [uuid, int4, timestamptz, nullable(float4), nullable(int8Number), nullable(jsonText), int4],
  row: { lease_expires_at: notNull(timestamptz) },
  text: `
    UPDATE generation g SET
      lease_expires_at = least($3::timestamptz + interval '${LEASE_SECONDS} seconds', g.deadline_at),
      progress = greatest(g.progress, CASE WHEN $4::real IS NOT NULL THEN least($4::real, 0.99) END),
      gpu_ms = ${reportedGpuMsSql("$5::bigint", "$3::timestamptz")},
      metered_at = CASE WHEN $5::bigint IS NULL THEN g.metered_at ELSE greatest(g.metered_at, $3) END,
      checkpoint = coalesce($6::json, g.checkpoint)
    WHERE g.id = $1 AND g.fence = $2 AND g.fence = $7 AND g.status = 'running' AND g.lease_expires_at > $3
    RETURNING g.lease_expires_at`,
});
