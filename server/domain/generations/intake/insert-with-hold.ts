import type { HubParts } from "../../../context";
import type { Queryable } from "../../../db/client";
import { json, jsonText, nullable, text, uuid } from "../../../db/column-types";
import { asyncCommitSql } from "../../../db/durability";
import { statement } from "../../../db/statement";
import { isCheckViolation, isUniqueViolation } from "../../../db/violation";
import { type Batcher, createBatcher } from "../../../lib/batch";
import type { ConcurrencyLimit } from "../../../lib/concurrency-limit";
import { createPacer } from "../../../lib/pace";
import { runInSpan } from "../../../lib/tracing/tracing";
import { dispatchDeliveries, type EventsHub, type PendingDelivery } from "../../events";
import { emitEventsSql, pendingDeliveriesSql } from "../../events/sql";
import { type Form, unsettledStatesSql } from "../../accounts/sql";
import { runShortestForm } from "../../ledger";
import { holdSql, spendingConstraints } from "../../ledger/sql";
import { snapshotSql } from "../read/sql";
import { insertOneChat } from "./insert-one-chat";
import { type GenerationInsert, listWords } from "./new-generation";

/**
 * Holds the estimates of generations and inserts them in one statement. Returns those of accounts whose balances cover
 * all of their generations, with the deliveries of their events. Throws the violations of constraints, with nothing
 * inserted.
 */
async function insertGenerations(db: Queryable, generations: GenerationInsert[]) {
  const callers = generations.map(({ limits }) => limits);
  const [first, ...others] = generations;
  const isOneChat = first!.is_llm && others.length === 0;
  return runShortestForm(insertForms, callers, db, {
    values: () => ({ claims: JSON.stringify(generations.map(toRow)) }),
    runOne: isOneChat ? (limits) => insertOneChat(db, first!, limits) : undefined,
  });
}

const toRow = ({ limits, ...generation }: GenerationInsert) => ({
  words: listWords(generation),
  ...generation,
  limits_version: limits?.version,
  missing: generation.missing.length > 0 ? generation.missing : undefined,
  estimated_cost: String(generation.estimated_cost),
  fingerprint: generation.fingerprint && toBytea(generation.fingerprint),
  end_user_hash: generation.end_user_hash && toBytea(generation.end_user_hash),
  request_digest: generation.request_digest && toBytea(generation.request_digest),
});

const toBytea = (bytes: Buffer) => `\\x${bytes.toString("hex")}`;

/** Declares the statement that inserts generations in one of its forms (decision 112). */
const declareInsert = (
  form: Form,
  shownIn: string,
  { events, deliveries } = { events: "", deliveries: "NULL::json AS deliveries" },
) =>
  statement({
    params: { claims: jsonText },
    row: { id: uuid, deliveries: nullable(json<PendingDelivery[]>()), commits_async: nullable(text) },
    shownIn,
    text: `
      -- The generations to insert. The condition always holds and shows the planner that there are few rows.
      WITH claim AS (
        SELECT * FROM json_to_recordset(:claims::json) AS row (
          id uuid, account_id int, key_id uuid, model text, is_llm boolean, status text, input jsonb, estimated_cost bigint,
          price jsonb, provider text, batch_id uuid, priority int, metadata jsonb, end_user text, end_user_hash bytea, person_id int, idempotency_key text, fingerprint bytea, timeout_seconds int, created_at timestamptz,
          started_at timestamptz, deadline_at timestamptz, missing jsonb, progress real,
          character_id int, character_version int, checkpoint json, request_digest bytea, joinable_at timestamptz, facade text, external_inputs jsonb, video jsonb, webhook jsonb, keeps_nothing boolean,
          words text[], limits_version int)
        WHERE status IN (${unsettledStatesSql}) AND estimated_cost >= 0
      ),
      ${holdSql(form)},
      -- The generations of the accounts that can pay for all of theirs.
      accepted AS (
        INSERT INTO generation (id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
                                batch_id, priority, metadata, end_user, person_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
                                character_id, character_version, checkpoint, request_digest, joinable_at, facade, external_inputs, video, webhook, keeps_nothing, dispatched_at)
        SELECT id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
               batch_id, coalesce(priority, 0), metadata, end_user, person_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
               character_id, character_version, checkpoint, request_digest, joinable_at, coalesce(facade, ''), external_inputs, video, webhook, coalesce(keeps_nothing, false),
               CASE status WHEN 'queued' THEN created_at END
        FROM claim JOIN held USING (account_id)
        RETURNING id
      ),
      -- The words by which they are found.
      searchable AS (
        INSERT INTO generation_words (generation_id, words)
        SELECT id, array_to_tsvector(words) FROM claim JOIN accepted USING (id)
      )
      ${events}
      SELECT id, ${deliveries},
             ${asyncCommitSql("(SELECT bool_and(is_llm) FROM claim)")} FROM accepted`,
  });

const runningEventsSql = emitEventsSql({
  event: "generation.running",
  changed: `(SELECT claim.*, follows_events, NULL::json AS error, NULL::timestamptz AS completed_at, NULL::bigint AS billed_cost,
             NULL::int AS input_tokens, NULL::int AS output_tokens, NULL::jsonb AS token_classes
               FROM claim JOIN held USING (account_id) WHERE status = 'running')`,
  at: "started_at",
  snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }),
});

const insertFull = declareInsert("full", "server/domain/generations/intake/insert.sql", {
  events: `, ${runningEventsSql}`,
  deliveries: pendingDeliveriesSql("accepted.id"),
});
const insertForms = {
  full: insertFull,
  budgets: declareInsert("budgets", "server/domain/generations/intake/insert-with-budgets.sql"),
  plain: declareInsert("plain", "server/domain/generations/intake/insert-plain.sql"),
};

/**
 * `insufficient_credits`: the available balance, the API key's spend limit or a budget does not cover the estimate.
 * `duplicate_key`: a concurrent request has used the idempotency key.
 */
type InsertResult = "accepted" | "insufficient_credits" | "duplicate_key";

/** The services for the intake that the requests of one process share. */
export interface IntakeServices {
  insertGeneration: Batcher<GenerationInsert, InsertResult>;
}

/**
 * Holds the estimate and inserts the generation in one statement, which concurrent callers share; each gets its own
 * result. A chat is inserted as running: it takes no slot of its account, and subscribed accounts get its
 * `generation.running` event. Chats are committed asynchronously: a crash may lose the row, but whatever reveals it
 * commits later and waits until it is durable.
 */
export const insertWithHold = (
  hub: Pick<HubParts, "tracing"> & { services: IntakeServices },
  generation: GenerationInsert,
): Promise<InsertResult> =>
  runInSpan(
    hub.tracing,
    () => ({ name: "accept", attributes: { "hub.generation_id": generation.id, "hub.model": generation.model } }),
    () => hub.services.insertGeneration(generation),
  );

/** Returns the services of the intake, whose statements the limiter admits. */
export const createIntakeServices = (
  hub: Pick<HubParts, "db"> & EventsHub,
  limiter: ConcurrencyLimit,
): IntakeServices => ({
  insertGeneration: createBatcher(
    (generations) =>
      insertManyWithHold(hub.db.ledgerConnection, generations, (deliveries) => dispatchDeliveries(hub, deliveries)),
    { limiter },
  ),
});

type OnDeliveries = (deliveries: PendingDelivery[] | null) => void;

/**
 * Inserts several generations in one statement. In a transaction it may only be called with one, because a duplicate
 * idempotency key aborts the transaction.
 */
export async function insertManyWithHold(
  db: Queryable,
  generations: GenerationInsert[],
  onDeliveries: OnDeliveries = () => undefined,
): Promise<InsertResult[]> {
  const alone = generations.length === 1;
  let accepted: Set<string>;
  try {
    const rows = await insertGenerations(db, generations);
    for (const { deliveries } of rows) onDeliveries(deliveries);
    accepted = new Set(rows.map((row) => row.id));
  } catch (error) {
    const refusal = readRefusal(error);
    // One generation made the whole statement fail, so each is inserted on its own.
    return alone ? [refusal] : insertIndividually(db, generations, onDeliveries);
  }
  if (alone || accepted.size === generations.length) return generations.map(({ id }) => toResult(accepted.has(id)));
  // An account whose balance does not cover all of its generations may still cover some of them.
  const accounts = new Map<number, number>();
  for (const { account_id } of generations) accounts.set(account_id, (accounts.get(account_id) ?? 0) + 1);
  const undecided = generations.filter(({ id, account_id }) => !accepted.has(id) && accounts.get(account_id)! > 1);
  const decided = await insertIndividually(db, undecided, onDeliveries);
  const results = new Map(undecided.map(({ id }, index) => [id, decided[index]!]));
  return generations.map(({ id }) => results.get(id) ?? toResult(accepted.has(id)));
}

/** Returns why a statement that inserts inserted nothing. Throws any other error. */
function readRefusal(error: unknown): InsertResult {
  if (spendingConstraints.some((name) => isCheckViolation(error, name))) return "insufficient_credits";
  if (isUniqueViolation(error)) return "duplicate_key";
  throw error;
}

const toResult = (accepted: boolean): InsertResult => (accepted ? "accepted" : "insufficient_credits");

async function insertIndividually(
  db: Queryable,
  generations: GenerationInsert[],
  onDeliveries: OnDeliveries,
): Promise<InsertResult[]> {
  const results: InsertResult[] = [];
  for (const generation of generations) results.push(...(await insertManyWithHold(db, [generation], onDeliveries)));
  return results;
}

/**
 * Inserts generations of one account and what `insertMore` inserts, in one transaction: all, or none if the account does
 * not cover the sum of their estimates. `duplicate_key` is one of `insertMore`.
 */
export async function insertTogether(
  hub: Pick<HubParts, "db">,
  generations: GenerationInsert[],
  insertMore: (tx: Queryable) => Promise<unknown>,
): Promise<InsertResult> {
  const pause = createPacer();
  const rows: string[] = [];
  for (const generation of generations) {
    await pause();
    rows.push(JSON.stringify(toRow(generation)));
  }
  const claims = `[${rows.join(",")}]`;
  try {
    return await hub.db.transaction(async (tx) => {
      const accepted = await insertFull(tx, { claims });
      if (accepted.length === 0) return "insufficient_credits";
      await insertMore(tx);
      return "accepted";
    });
  } catch (error) {
    return readRefusal(error);
  }
}
