import type { AccountLimits, HubParts } from "../../../context";
import {
  bool,
  int4,
  int8,
  jsonbText,
  jsonText,
  nullable,
  text,
  textOrBytes,
  timestamptz,
  uuid,
} from "../../../db/column-types";
import { sumTokens } from "../../../catalogue/token-classes";
import { statement } from "../../../db/statement";
import { asyncCommitSql, type Durability } from "../../../db/durability";
import { isDataError } from "../../../db/violation";
import type { Form } from "../../accounts/sql";
import { type Batcher, createBatcher } from "../../../lib/batch";
import type { ConcurrencyLimit } from "../../../lib/concurrency-limit";
import type { JsonText } from "../../../lib/json/codec";
import type { Nano } from "../../../lib/money";
import type { Failure } from "../../../providers/failure";
import { runShortestForm } from "../../ledger";
import { settleTokens, type TokenServices } from "../../rates";
import { type TokenUsage, toStoredUsage } from "../../tokens";
import { annotateCharge, classifyAttempt, type MetricsHub } from "../../metrics";
import type { AttemptRecord } from "../attempts";
import { dispatchForProvider, type QueueHub } from "../queue";
import { correctSpendingSql } from "../queue/sql";
import { announceEnding, type AnnouncingHub } from "./announce-ending";
import { chargeSql, composeEndingSql, composeOneEndingSql, endingColumns, endingParams } from "./ending-sql";
import { keepRepliesSql } from "./chat-replies";

interface ChatEnding {
  /** `canceled`: it ended early, and what it used is charged. */
  to: "succeeded" | "failed" | "canceled";
  /** The cost; at most the estimate is charged. */
  cost: Nano;
  error?: Failure;
  attempts: AttemptRecord[];
  /** The response body, if it may be replayed. */
  answer?: JsonText;
  /** What it is charged for. */
  usage?: TokenUsage;
  /** The choices of the completion as JSON text, if the account keeps replies. */
  reply?: string;
  /** Whether another process may have taken a place for it at a provider with limits. */
  mayHoldPlace?: boolean;
  /** The limits of its caller's account. */
  limits?: AccountLimits | null;
}

/**
 * Ends a running chat: writes its final state, settlement, attempts and events in one statement, which concurrent
 * callers share. Waits until it is durable. Returns false when the chat had already ended.
 */
export async function settleChat(
  hub: Pick<HubParts, "db"> & MetricsHub & { services: SettleServices },
  id: string,
  ending: ChatEnding,
): Promise<boolean> {
  const { cost, usage, error } = ending;
  annotateCharge(hub, { cost, tokens: usage?.tokens, errorType: error?.code });
  const answer = await storeLargeAnswer(hub, id, ending.answer);
  // What was used counts even if the sweep has ended the chat.
  const used = usage ? sumTokens(usage.tokens, "input") + sumTokens(usage.tokens, "output") : 0;
  const tokensSettled = settleTokens(hub, id, used);
  const settled = await hub.services.settleChat({ id, ...ending, answer });
  await tokensSettled;
  if (settled === "written") await hub.services.waitForDurability();
  return settled !== "ended before";
}

const LARGE_LENGTH = 256 * 1024;

/**
 * Stores a large answer before the statement that others share, which writes it as JSON and would hold up the event loop.
 * Returns the answer that remains to be stored.
 */
async function storeLargeAnswer(
  hub: Pick<HubParts, "db">,
  id: string,
  answer: JsonText | undefined,
): Promise<string | undefined> {
  if (answer === undefined || (typeof answer === "string" && answer.length <= LARGE_LENGTH)) return answer;
  await storeAnswer(hub.db, id, answer);
  return undefined;
}

const storeAnswer = statement({
  params: [uuid, textOrBytes],
  row: {},
  text: "UPDATE generation SET stored_answer = $2 WHERE id = $1 AND is_llm AND status = 'running'",
});

/** An ending whose answer, if large, has been stored already. */
type ChatEndingWithId = Omit<ChatEnding, "answer"> & { id: string; answer?: string };

/** `written`: a crash of Postgres may still lose it. `ended before`: somebody else has ended the chat. */
type Settled = "durable" | "written" | "ended before";

export interface SettleServices extends Durability, TokenServices {
  settleChat: Batcher<ChatEndingWithId, Settled>;
}

type SettleParts = Pick<HubParts, "db" | "now"> & AnnouncingHub & QueueHub;

/** Returns the batcher of `settleChat`. */
export const createSettleBatcher = (hub: SettleParts, limiter: ConcurrencyLimit): SettleServices["settleChat"] =>
  createBatcher((endings) => settleMany(hub, endings, limiter.runsOne && endings.length === 1), {
    limiter,
    isOfOneItem: isDataError,
  });

/** With `isDurable` the statement waits for the disk itself, which saves another one while nobody else waits for the ledger. */
async function settleMany(hub: SettleParts, endings: ChatEndingWithId[], isDurable: boolean): Promise<Settled[]> {
  const attempts = endings.flatMap(({ id, attempts }) =>
    attempts.filter(({ held }) => held !== "closed").map((attempt) => ({ id, ...attempt })),
  );
  const ended = await applyEndings(hub, endings, {
    now: hub.now(),
    attempts: JSON.stringify(attempts),
    is_durable: isDurable,
  });
  for (const { id } of endings) hub.services.chatPlaces.delete(id);
  const providers = new Set(ended.flatMap(({ limited_provider }) => limited_provider ?? []));
  for (const provider of providers) dispatchForProvider(hub, provider);
  const byId = new Map(endings.map((ending) => [ending.id, ending]));
  for (const row of ended) announceEnding(hub, row, describeEnding(byId.get(row.id)!));
  const ids = new Set(ended.map(({ id }) => id));
  const settled = isDurable ? "durable" : "written";
  return endings.map(({ id }) => (ids.has(id) ? settled : "ended before"));
}

type Shared = Omit<Parameters<typeof settleHeld>[1], "endings">;

/** Ends chats by the shortest statement that does what they need; only one ends attempts that hold a provider's place. */
function applyEndings({ db, services }: SettleParts, endings: ChatEndingWithId[], shared: Shared) {
  const values = () => ({ ...shared, endings: JSON.stringify(endings.map(toRow)) });
  const holdsPlace = endings.some(({ id, mayHoldPlace }) => mayHoldPlace || services.chatPlaces.has(id));
  if (holdsPlace) return settleHeld(db.ledgerConnection, values());
  const callers = endings.map(({ limits, reply }) => (reply === undefined ? limits : null));
  const runOne = (limits: AccountLimits) =>
    settleOne(db.ledgerConnection, { ...shared, ...toOneEnding(endings[0]!), limits_version: limits.version });
  return runShortestForm(settleForms, callers, db.ledgerConnection, {
    values,
    runOne: endings.length === 1 ? runOne : undefined,
  });
}

const toRow = ({ id, to, cost, error, answer, reply, usage, limits }: ChatEndingWithId) => ({
  id,
  to,
  cost: String(cost),
  error,
  answer,
  reply,
  limits_version: limits?.version,
  ...(usage && toStoredUsage(usage)),
});

function toOneEnding({ id, to, cost, error, answer, usage }: ChatEndingWithId) {
  const stored = usage && toStoredUsage(usage);
  return {
    id,
    to,
    cost,
    error: error ? JSON.stringify(error) : null,
    answer: answer ?? null,
    input_tokens: stored?.input_tokens ?? null,
    output_tokens: stored?.output_tokens ?? null,
    token_classes: stored?.token_classes ? JSON.stringify(stored.token_classes) : null,
  };
}

const describeEnding = (ending: ChatEnding) => ({
  failure: describeFailure(ending),
  attempts: ending.attempts.map(describeAttempt),
  units: ending.usage && ending.to !== "failed" ? { tokens: ending.usage.tokens } : undefined,
});

const describeAttempt = (attempt: AttemptRecord) => {
  const { route, outcome, started_at, ended_at, cost, code, cause, upstream_status: upstreamStatus } = attempt;
  const seconds = (ended_at.getTime() - started_at.getTime()) / 1000;
  return { route, outcome, seconds, cost, failure: { code, cause, upstreamStatus } };
};

function describeFailure({ to, error, attempts }: Pick<ChatEnding, "to" | "error" | "attempts">) {
  const last = attempts.at(-1);
  const failed = { code: error?.code ?? last?.code, cause: last?.cause, upstreamStatus: last?.upstream_status };
  // A stream that its provider broke is charged for what it used, and has the status of one whose client left.
  const isBroken = to === "canceled" && last?.outcome === "failed";
  return { errorType: isBroken ? classifyAttempt(failed) : undefined, ...failed };
}

// A chat whose process was killed is charged for what it had counted, but there is no answer that a retry could get.
const isUnansweredSql = `ending."to" = 'failed' OR ending."to" = 'canceled' AND ending.answer IS NULL`;

const attemptsSql = `json_to_recordset(:attempts::json) AS item (
        id uuid, n int, route text, provider text, reason text, started_at timestamptz, ended_at timestamptz, outcome text,
        upstream_id text, upstream_status int, cost bigint, passed_over jsonb, held text, cause text, first_token_ms int)`;

const insertAttemptsSql = `
    -- The attempts, which have all ended.
    new_attempt AS (
      INSERT INTO attempt (generation_id, n, route, provider, reason, started_at, ended_at, outcome, upstream_id, upstream_status, cost, passed_over, cause, first_token_ms)
      SELECT item.id, item.n, item.route, item.provider, item.reason, item.started_at, item.ended_at, item.outcome,
             item.upstream_id, item.upstream_status, item.cost, item.passed_over, item.cause, item.first_token_ms
      FROM ended JOIN ${attemptsSql} USING (id) WHERE item.held IS NULL
    )`;

const closeHeldSql = `
    -- The attempts that hold a place. One that its process did not describe may have been billed.
    closed AS (
      UPDATE attempt SET
        ended_at = greatest(coalesce(item.ended_at, :now), attempt.started_at), upstream_id = item.upstream_id,
        upstream_status = item.upstream_status, cost = item.cost, cause = item.cause, first_token_ms = item.first_token_ms,
        outcome = coalesce(item.outcome, CASE ended.status WHEN 'canceled' THEN 'canceled' ELSE 'lost' END)
      FROM ended LEFT JOIN ${attemptsSql} ON item.id = ended.id AND item.held = 'open'
      WHERE attempt.generation_id = ended.id AND attempt.ended_at IS NULL
      RETURNING attempt.*
    ),
    ${correctSpendingSql}`;

const limitedProviderSql =
  "(SELECT max(limited_provider) FROM closed WHERE closed.generation_id = ended.id) AS limited_provider";

const assignmentsSql = `stored_answer = CASE WHEN g.idempotency_key IS NOT NULL OR g.joinable_at IS NOT NULL
          THEN coalesce(ending.answer, g.stored_answer) END,
        input_tokens = ending.input_tokens, output_tokens = ending.output_tokens, token_classes = ending.token_classes,
        billed_cost = ${chargeSql("ending.cost")},
        excess_cost = greatest(ending.cost - g.estimated_cost, 0)`;

const resultColumns = { ...endingColumns, limited_provider: nullable(text), commits_async: nullable(text) };
const commitSql = asyncCommitSql("NOT :is_durable");

const declareSettle = (form: Form, rest: string, shownIn: string, limitedProvider = "NULL::text AS limited_provider") =>
  statement({
    params: { ...endingParams, attempts: jsonText, is_durable: bool },
    row: resultColumns,
    shownIn,
    text: composeEndingSql({
      form,
      input: `id uuid, "to" text, cost bigint, error jsonb, answer text, input_tokens int, output_tokens int, token_classes jsonb, reply text, limits_version int`,
      isValid: "cost >= 0",
      locked: `SELECT g.id, g.status AS was FROM generation g JOIN ending ON ending.id = g.id
      WHERE g.is_llm AND g.status = 'running'`,
      isUnanswered: isUnansweredSql,
      assignments: assignmentsSql,
      rest,
      lists: { outputs: "'[]'::json", missing: "'[]'::json" },
      result: `${limitedProvider}, ${commitSql}`,
    }),
  });

const settleForms = {
  full: declareSettle(
    "full",
    `${insertAttemptsSql},
    ${keepRepliesSql}`,
    "server/domain/generations/end/settle-chat.sql",
  ),
  budgets: declareSettle("budgets", insertAttemptsSql, "server/domain/generations/end/settle-chat-with-budgets.sql"),
  plain: declareSettle("plain", insertAttemptsSql, "server/domain/generations/end/settle-chat-plain.sql"),
};
const settleHeld = declareSettle(
  "full",
  `${insertAttemptsSql},${closeHeldSql},
    ${keepRepliesSql}`,
  "server/domain/generations/end/settle-chat-held.sql",
  limitedProviderSql,
);

const settleOne = statement({
  params: {
    id: uuid,
    to: text,
    cost: int8,
    error: nullable(jsonbText),
    answer: nullable(text),
    input_tokens: nullable(int4),
    output_tokens: nullable(int4),
    token_classes: nullable(jsonbText),
    limits_version: int4,
    now: timestamptz,
    attempts: jsonText,
    is_durable: bool,
  },
  row: resultColumns,
  shownIn: "server/domain/generations/end/settle-one-chat.sql",
  text: composeOneEndingSql({
    input: `:to::text AS "to", :cost::bigint AS cost, :error::jsonb AS error, :answer::text AS answer,
        :input_tokens::int AS input_tokens, :output_tokens::int AS output_tokens, :token_classes::jsonb AS token_classes`,
    isUnanswered: isUnansweredSql,
    assignments: assignmentsSql,
    rest: insertAttemptsSql,
    result: `NULL::text AS limited_provider, ${commitSql}`,
  }),
});
