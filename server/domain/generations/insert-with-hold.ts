import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { asyncCommitSql } from "../../db/durability";
import { isCheckViolation, isUniqueViolation } from "../../db/violation";
import { createBatcher } from "../../lib/batch";
import { memoizePer } from "../../lib/memoize-per";
import { holdSql } from "../ledger/hold";
import { ledgerWriteLimiter } from "../ledger/ledger-write-limiter";
import { dispatchDeliveries, type PendingDelivery } from "../webhooks/dispatch-deliveries";
import { pendingDeliveriesSql, emitEventsSql } from "../webhooks/emit-events";
import type { Generation } from "./generation";
import { snapshotSql } from "./snapshot";

/**
 * `uncovered`: the available balance is too small, or what the API key may still spend.
 * `claimed`: the idempotency key was taken in the meantime.
 */
export type InsertResult = "accepted" | "insufficient_credits" | "duplicate_key";

/** What a character's training has beside other generations. */
export interface Training {
  character_id: number;
  character_version: number;
  /** Where an earlier training of it stood, to go on from there. */
  checkpoint: unknown;
}

/** What a chat has beside other generations. */
export interface Joinable {
  /** Of its request, when a retry may join it. */
  request_digest: Buffer | null;
  /** Whether its account may follow events. */
  follows_events: boolean;
}

/** A generation as it is accepted. */
export type NewGeneration = Generation & {
  /** Outside addresses to fetch before a worker can claim it. */
  outside_inputs?: string[];
};

type Accepted = NewGeneration & Partial<Training & Joinable>;

/**
 * Holds the estimate, claims the idempotency key and inserts the row: one statement, one commit, all or nothing.
 * A row that arrives as running (a chat) takes no slot of its account; customers who follow are told that it runs. It
 * may go with a Postgres that dies at once: whatever tells of it commits after it and waits for the disk.
 * Concurrent callers share the statement, and each gets its own verdict.
 */
export const insertWithHold = (hub: Hub, generation: Accepted): Promise<InsertResult> => shared(hub)(generation);

const shared = memoizePer((hub: Hub) =>
  createBatcher<Accepted, InsertResult>(
    (generations) =>
      insertManyWithHold(hub.db.ledgerConnection, generations, (deliveries) => dispatchDeliveries(hub, deliveries)),
    { lane: ledgerWriteLimiter(hub) },
  ),
);

type OnDeliveries = (deliveries: PendingDelivery[] | null) => void;

/** The statement itself, for these generations at once. In a transaction, for one alone: a claimed key breaks it. */
export async function insertManyWithHold(
  db: Queryable,
  generations: Accepted[],
  onDeliveries: OnDeliveries = () => undefined,
): Promise<InsertResult[]> {
  const alone = generations.length === 1;
  let accepted: Set<string>;
  try {
    const rows = await db.query<{ id: string; deliveries: PendingDelivery[] | null }>(statementFor(generations), [
      JSON.stringify(generations.map(toRow)),
    ]);
    for (const { deliveries } of rows) onDeliveries(deliveries);
    accepted = new Set(rows.map((row) => row.id));
  } catch (error) {
    const spent = isCheckViolation(error, "key_spending_within_limit");
    if (!spent && !isUniqueViolation(error)) throw error;
    // One claimant undid them all, so each is judged by itself.
    return alone ? [spent ? "insufficient_credits" : "duplicate_key"] : eachAlone(db, generations, onDeliveries);
  }
  if (alone || accepted.size === generations.length) return generations.map(({ id }) => verdict(accepted.has(id)));
  // An account that does not cover all of its claims may still cover some.
  const accounts = new Map<number, number>();
  for (const { account_id } of generations) accounts.set(account_id, (accounts.get(account_id) ?? 0) + 1);
  const unclear = generations.filter(({ id, account_id }) => !accepted.has(id) && accounts.get(account_id)! > 1);
  const later = new Map(unclear.map(({ id }, index) => [id, index]));
  const verdicts = await eachAlone(db, unclear, onDeliveries);
  return generations.map(({ id }) => (later.has(id) ? verdicts[later.get(id)!]! : verdict(accepted.has(id))));
}

const verdict = (accepted: boolean): InsertResult => (accepted ? "accepted" : "insufficient_credits");

async function eachAlone(db: Queryable, generations: Accepted[], onDeliveries: OnDeliveries): Promise<InsertResult[]> {
  const verdicts: InsertResult[] = [];
  for (const generation of generations) verdicts.push(...(await insertManyWithHold(db, [generation], onDeliveries)));
  return verdicts;
}

const toRow = ({ fingerprint, request_digest, estimated_cost, missing, ...row }: Accepted) => ({
  ...row,
  ...(missing.length > 0 && { missing }),
  estimated_cost: String(estimated_cost),
  fingerprint: fingerprint && toBytea(fingerprint),
  request_digest: request_digest && toBytea(request_digest),
});

const toBytea = (bytes: Buffer) => `\\x${bytes.toString("hex")}`;

/**
 * SQL: accepts generations. Events cost a tenth of a chat's time also where nobody follows them, so they are left out
 * for accounts that did not when the request was authenticated. The claims are checked although they never fail here:
 * see `finish`.
 */
const acceptSql = (withEvents: boolean): string => `
  WITH claim AS (
    SELECT * FROM json_to_recordset($1::json) AS row (
      id uuid, account_id int, key_id uuid, model text, is_llm boolean, status text, input jsonb, estimated_cost bigint,
      price jsonb, provider text, batch_id uuid, idempotency_key text, fingerprint bytea, timeout_seconds int, created_at timestamptz,
      started_at timestamptz, deadline_at timestamptz, missing jsonb, progress real,
      character_id int, character_version int, checkpoint json, request_digest bytea, outside_inputs jsonb)
    WHERE status IN ('queued', 'running', 'awaiting_supply') AND estimated_cost >= 0
  ), ${holdSql},
  accepted AS (
    INSERT INTO generation (id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
                            batch_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
                            character_id, character_version, checkpoint, request_digest, outside_inputs, nudged_at)
    SELECT id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
           batch_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
           character_id, character_version, checkpoint, request_digest, outside_inputs,
           CASE status WHEN 'queued' THEN created_at END
    FROM claim JOIN held USING (account_id)
    RETURNING id
  )
  ${withEvents ? `, ${runningEventsSql}` : ""}
  SELECT id, ${withEvents ? pendingDeliveriesSql("accepted.id") : "NULL AS deliveries"},
         ${asyncCommitSql("(SELECT bool_and(is_llm) FROM claim)")} FROM accepted`;

const runningEventsSql = emitEventsSql({
  event: "generation.running",
  changed: `(SELECT claim.*, follows_events, NULL::json AS error, NULL::timestamptz AS completed_at, NULL::bigint AS billed_cost
               FROM claim JOIN held USING (account_id) WHERE status = 'running')`,
  at: "started_at",
  snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }),
});

const statement = acceptSql(false);
const statementWithEvents = acceptSql(true);

const statementFor = (generations: Accepted[]): string =>
  generations.some(({ status, follows_events }) => status === "running" && follows_events)
    ? statementWithEvents
    : statement;
