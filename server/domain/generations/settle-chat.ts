import type { Hub } from "../../context";
import { float8, int8, json, jsonText, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { asyncCommitSql } from "../../db/durability";
import { createBatcher } from "../../lib/batch";
import type { ConcurrencyLimit } from "../../lib/concurrency-limit";
import type { Nano } from "../../lib/money";
import type { Failure } from "../../providers/failure";
import type { Tokens } from "../pricing/usage";
import { settleSql } from "../ledger/settle";
import { dispatchDeliveries, type PendingDelivery } from "../events/dispatch-deliveries";
import { pendingDeliveriesSql } from "../events/emit-events";
import { classifyAttempt } from "../metrics/error-type";
import { annotateCharge } from "../metrics/gen-ai-span";
import { recordAttemptEnd, recordGenerationEnd, recordUnits } from "../metrics/record-work";
import type { AttemptRecord } from "./attempts";
import { setFinalStateSql, emitEndedEventsSql } from "./final-state-sql";
import { keepRepliesSql } from "./chat-replies";
import { columnsSql } from "./generation";

interface ChatEnding {
  /** `canceled`: it ended early, and what it used is charged. */
  to: "succeeded" | "failed" | "canceled";
  /** The cost; at most the estimate is charged. */
  cost: Nano;
  error?: Failure;
  attempts: AttemptRecord[];
  /** The response body, if it may be replayed. */
  answer?: string;
  /** What it is charged for. */
  tokens?: Tokens;
  /** The choices of the completion as JSON text, if the account keeps replies. */
  reply?: string;
}

/**
 * Ends a running chat: writes its final state, settlement, attempts and events in one statement, which concurrent
 * callers share. Waits until it is durable. Returns false when the chat had already ended.
 */
export async function settleChat(hub: Hub, id: string, ending: ChatEnding): Promise<boolean> {
  const { cost, tokens, error } = ending;
  annotateCharge(hub, { cost, tokens, errorType: error?.code });
  const answer = await storeLargeAnswer(hub, id, ending.answer);
  const ended = await hub.services.settleChat({ id, ...ending, answer });
  if (ended) await hub.services.waitForDurability();
  return ended;
}

const LARGE_LENGTH = 256 * 1024;

/**
 * Stores a large answer before the statement that others share, which writes it as JSON and would hold up the event loop.
 * Returns the answer that remains to be stored.
 */
async function storeLargeAnswer(hub: Hub, id: string, answer: string | undefined): Promise<string | undefined> {
  if (answer === undefined || answer.length <= LARGE_LENGTH) return answer;
  await storeAnswer(hub.db, id, answer);
  return undefined;
}

const storeAnswer = statement({
  params: [uuid, text],
  row: {},
  text: "UPDATE generation SET stored_answer = $2 WHERE id = $1 AND is_llm AND status = 'running'",
});

export type ChatEndingWithId = ChatEnding & { id: string };

/** Returns the batcher of `settleChat`. */
export const createSettleBatcher = (hub: Hub, limiter: ConcurrencyLimit) =>
  createBatcher<ChatEndingWithId, boolean>((endings) => settleMany(hub, endings), { limiter });

async function settleMany(hub: Hub, endings: ChatEndingWithId[]): Promise<boolean[]> {
  const attempts = endings.flatMap(({ id, attempts }) => attempts.map((attempt) => ({ id, ...attempt })));
  const rows = endings.map(({ id, to, cost, error, answer, reply, tokens }) => ({
    id,
    to,
    cost: String(cost),
    error,
    answer,
    reply,
    input_tokens: tokens?.input,
    output_tokens: tokens?.output,
  }));
  const { ledgerConnection } = hub.db;
  const settle = endings.some(({ reply }) => reply !== undefined) ? settleWithReplies : settleWithoutReplies;
  const ended = await settle(ledgerConnection, JSON.stringify(rows), hub.now(), JSON.stringify(attempts));
  const byId = new Map(endings.map((ending) => [ending.id, ending]));
  for (const row of ended) {
    dispatchDeliveries(hub, row.deliveries);
    recordEnding(hub, byId.get(row.id)!, row);
  }
  const ids = new Set(ended.map(({ id }) => id));
  return endings.map(({ id }) => ids.has(id));
}

/** Counts a chat that has ended, with its attempts. */
function recordEnding(hub: Hub, { to, error, tokens, attempts }: ChatEnding, row: SettledRow): void {
  const { model } = row;
  recordGenerationEnd(hub, { ...row, status: to }, describeFailure({ to, error, attempts }));
  for (const { route, outcome, started_at, ended_at, cost, code, cause, upstream_status } of attempts) {
    const seconds = (ended_at.getTime() - started_at.getTime()) / 1000;
    const attempt = { model, route, outcome, seconds, cost: cost === null ? null : BigInt(cost) };
    recordAttemptEnd(hub, attempt, { code, cause, upstreamStatus: upstream_status });
  }
  if (tokens && to !== "failed") recordUnits(hub, model, { tokens });
}

function describeFailure({ to, error, attempts }: Pick<ChatEnding, "to" | "error" | "attempts">) {
  const last = attempts.at(-1);
  const failed = { code: error?.code ?? last?.code, cause: last?.cause, upstreamStatus: last?.upstream_status };
  // A stream that its provider broke is charged for what it used, and has the status of one whose client left.
  const isBroken = to === "canceled" && last?.outcome === "failed";
  return { ...failed, errorType: isBroken ? classifyAttempt(failed) : undefined };
}

const settledColumns = {
  id: uuid,
  model: text,
  run_seconds: notNull(float8),
  billed_cost: notNull(int8),
  excess_cost: int8,
  deliveries: nullable(json<PendingDelivery[]>()),
  commits_async: nullable(text),
};
type SettledRow = RowOf<typeof settledColumns>;

// A chat whose process was killed is charged for what it had counted, but there is no answer that a retry could get.
const isUnansweredSql = `ending."to" = 'failed' OR ending."to" = 'canceled' AND ending.answer IS NULL`;

// The conditions on the input always hold: they show the planner that it has few rows, as in `finishGenerations`.
// Rows are locked in the order of their ids, as there, so that concurrent statements never deadlock.
const declareSettle = (withReplies: boolean) =>
  statement({
    params: [jsonText, timestamptz, jsonText],
    row: settledColumns,
    text: `
    WITH ending AS (
      SELECT * FROM json_to_recordset($1::json) AS row (
        id uuid, "to" text, cost bigint, error jsonb, answer text, input_tokens int, output_tokens int, reply text)
      WHERE "to" IN ('succeeded', 'failed', 'canceled') AND cost >= 0
    ),
    locked AS MATERIALIZED (
      SELECT g.id FROM generation g JOIN ending ON ending.id = g.id
      WHERE g.is_llm AND g.status = 'running'
      ORDER BY g.id FOR NO KEY UPDATE OF g
    ),
    ended AS (
      UPDATE generation g SET ${setFinalStateSql(isUnansweredSql)},
        stored_answer = CASE WHEN g.idempotency_key IS NOT NULL OR g.joinable_at IS NOT NULL
          THEN coalesce(ending.answer, g.stored_answer) END,
        input_tokens = ending.input_tokens, output_tokens = ending.output_tokens,
        billed_cost = least(ending.cost, g.estimated_cost), excess_cost = greatest(ending.cost - g.estimated_cost, 0)
      FROM locked JOIN ending ON ending.id = locked.id
      WHERE g.id = locked.id
      RETURNING ${columnsSql("g")}, g.excess_cost, 'running' AS was, g.billed_cost AS charge
    ), ${settleSql},
    new_attempt AS (
      INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome, upstream_status, cost, passed_over)
      SELECT item.* FROM ended JOIN json_to_recordset($3::json) AS item (
        id uuid, n int, route text, provider text, started_at timestamptz, ended_at timestamptz, outcome text,
        upstream_status int, cost bigint, passed_over jsonb) USING (id)
    ),
    ${withReplies ? `${keepRepliesSql},` : ""}
    ${emitEndedEventsSql({ outputs: "'[]'::json", missing: "'[]'::json" })}
    SELECT id, model, billed_cost, excess_cost, extract(epoch FROM completed_at - started_at)::float8 AS run_seconds,
           ${pendingDeliveriesSql("ended.id")}, ${asyncCommitSql("true")} FROM ended`,
  });

// Chats of accounts that keep no replies are settled by the shorter statement.
const settleWithoutReplies = declareSettle(false);
const settleWithReplies = declareSettle(true);
