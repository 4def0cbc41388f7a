import type { Hub } from "../../context";
import { waitForDurability, asyncCommitSql } from "../../db/durability";
import { createBatcher } from "../../lib/batch";
import type { Nano } from "../../lib/money";
import { memoizePer } from "../../lib/memoize-per";
import type { Failure } from "../../providers/provider";
import type { AttemptRecord } from "../generations/attempts";
import { setFinalStateSql, emitEndedEventsSql } from "../generations/final-state-sql";
import { columnsSql } from "../generations/generation";
import { ledgerWriteLimiter } from "../ledger/ledger-write-limiter";
import { settleSql } from "../ledger/settle";
import { dispatchDeliveries, type PendingDelivery } from "../webhooks/dispatch-deliveries";
import { pendingDeliveriesSql } from "../webhooks/emit-events";

interface Ending {
  to: "succeeded" | "failed";
  /** What to charge, at most the estimate. */
  cost: Nano;
  error?: Failure;
  attempts: AttemptRecord[];
  /** What was answered, when a replay can ask for it. */
  answer?: string;
}

/**
 * Ends the record of a running chat, once and for good: final state, settlement, tries and what customers are told, in
 * one statement that concurrent callers share. It is on the disk when this answers; false when it was ended already.
 */
export async function settleChat(hub: Hub, id: string, ending: Ending): Promise<boolean> {
  const ended = await shared(hub)({ id, ...ending });
  if (ended) await waitForDurability(hub.db);
  return ended;
}

type Asked = Ending & { id: string };

const shared = memoizePer((hub: Hub) =>
  createBatcher<Asked, boolean>((asked) => settleMany(hub, asked), { lane: ledgerWriteLimiter(hub) }),
);

async function settleMany(hub: Hub, asked: Asked[]): Promise<boolean[]> {
  const attempts = asked.flatMap(({ id, attempts }) => attempts.map((attempt) => ({ id, ...attempt })));
  const rows = asked.map(({ id, to, cost, error, answer }) => ({ id, to, cost: String(cost), error, answer }));
  const ended = await hub.db.ledgerConnection.query<{ id: string; deliveries: PendingDelivery[] | null }>(statement, [
    JSON.stringify(rows),
    hub.now(),
    JSON.stringify(attempts),
  ]);
  for (const { deliveries } of ended) dispatchDeliveries(hub, deliveries);
  const ids = new Set(ended.map(({ id }) => id));
  return asked.map(({ id }) => ids.has(id));
}

// What is asked is checked although it is never otherwise: see `finish`. Chats are locked in the order of their ids, as
// there, so that statements never wait for each other in a circle.
const statement = `
  WITH asked AS (
    SELECT * FROM json_to_recordset($1::json) AS row (id uuid, "to" text, cost bigint, error jsonb, answer text)
    WHERE "to" IN ('succeeded', 'failed') AND cost >= 0
  ),
  locked AS MATERIALIZED (
    SELECT g.id FROM generation g JOIN asked ON asked.id = g.id
    WHERE g.is_llm AND g.status = 'running'
    ORDER BY g.id FOR NO KEY UPDATE OF g
  ),
  ended AS (
    UPDATE generation g SET ${setFinalStateSql},
      answer = CASE WHEN g.idempotency_key IS NOT NULL OR g.joinable_at IS NOT NULL THEN asked.answer END,
      billed_cost = least(asked.cost, g.estimated_cost), excess_cost = greatest(asked.cost - g.estimated_cost, 0)
    FROM locked JOIN asked ON asked.id = locked.id
    WHERE g.id = locked.id
    RETURNING ${columnsSql("g")}, 'running' AS was, g.billed_cost AS charge
  ), ${settleSql},
  tried AS (
    INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome, upstream_status, cost)
    SELECT try.* FROM ended JOIN json_to_recordset($3::json) AS try (
      id uuid, n int, route text, provider text, started_at timestamptz, ended_at timestamptz, outcome text,
      upstream_status int, cost bigint) USING (id)
  ),
  ${emitEndedEventsSql({ outputs: "'[]'::json", missing: "'[]'::json" })}
  SELECT id, ${pendingDeliveriesSql("ended.id")}, ${asyncCommitSql("true")} FROM ended`;
