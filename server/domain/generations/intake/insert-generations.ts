import type { Queryable } from "../../../db/client";
import { json, jsonText, nullable, text, uuid } from "../../../db/column-types";
import { asyncCommitSql } from "../../../db/durability";
import { statement } from "../../../db/statement";
import type { PendingDelivery } from "../../events";
import { emitEventsSql, pendingDeliveriesSql } from "../../events/sql";
import { holdSql } from "../../ledger/sql";
import type { Generation } from "../row";
import { collectWords } from "../search";
import { snapshotSql } from "../read/sql";

/** The additional columns of a character's training. */
export interface Training {
  character_id: number;
  character_version: number;
  /** The state of an earlier training from which this one resumes. */
  checkpoint: unknown;
}

/** The additional columns of a chat. */
export interface Joinable {
  /** The digest of its request, if a retry may join it. */
  request_digest: Buffer | null;
  /** Whether its account may have subscribed to events. */
  follows_events: boolean;
}

/** The additional columns of a request to a route that stands beside the specified API. */
export interface FacadeFields {
  /** The route whose idempotency keys are a scope of their own. */
  facade?: string;
  /** When the claim of the request that waits for the generation expires. */
  joinable_at?: Date;
}

/** A generation to insert. */
export type NewGeneration = Generation & {
  /** External URLs to fetch before a worker can claim it. */
  external_inputs?: string[];
};

export type GenerationInsert = NewGeneration & Partial<Training & Joinable> & FacadeFields;

/**
 * Holds the estimates of generations and inserts them in one statement. Returns those of accounts whose balances cover
 * all of their generations, with the deliveries of their events. Throws the violations of constraints, with nothing
 * inserted.
 */
export function insertGenerations(db: Queryable, generations: GenerationInsert[]) {
  const hasEvents = generations.some(({ status, follows_events }) => status === "running" && follows_events);
  return (hasEvents ? insertWithEvents : insertWithoutEvents)(db, { claims: JSON.stringify(generations.map(toRow)) });
}

const toRow = ({ fingerprint, request_digest, estimated_cost, missing, ...row }: GenerationInsert) => ({
  ...row,
  words: collectWords(row.account_id, row.input),
  ...(missing.length > 0 && { missing }),
  estimated_cost: String(estimated_cost),
  fingerprint: fingerprint && toBytea(fingerprint),
  request_digest: request_digest && toBytea(request_digest),
});

const toBytea = (bytes: Buffer) => `\\x${bytes.toString("hex")}`;

/**
 * Declares the statement that inserts generations. Emitting events costs a tenth of a chat's time even when no account
 * is subscribed, so the statement comes with and without events.
 */
const declareInsert = ({ events, deliveries, shownIn }: Record<"events" | "deliveries" | "shownIn", string>) =>
  statement({
    params: { claims: jsonText },
    row: { id: uuid, deliveries: nullable(json<PendingDelivery[]>()), commits_async: nullable(text) },
    shownIn,
    text: `
      -- The generations to insert. The condition always holds and shows the planner that there are few rows.
      WITH claim AS (
        SELECT * FROM json_to_recordset(:claims::json) AS row (
          id uuid, account_id int, key_id uuid, model text, is_llm boolean, status text, input jsonb, estimated_cost bigint,
          price jsonb, provider text, batch_id uuid, idempotency_key text, fingerprint bytea, timeout_seconds int, created_at timestamptz,
          started_at timestamptz, deadline_at timestamptz, missing jsonb, progress real,
          character_id int, character_version int, checkpoint json, request_digest bytea, joinable_at timestamptz, facade text, external_inputs jsonb,
          words text[])
        WHERE status IN ('queued', 'running', 'awaiting_supply') AND estimated_cost >= 0
      ),
      ${holdSql},
      -- The generations of the accounts that can pay for all of theirs.
      accepted AS (
        INSERT INTO generation (id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
                                batch_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
                                character_id, character_version, checkpoint, request_digest, joinable_at, facade, external_inputs, dispatched_at)
        SELECT id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
               batch_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
               character_id, character_version, checkpoint, request_digest, joinable_at, coalesce(facade, ''), external_inputs,
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
  changed: `(SELECT claim.*, follows_events, NULL::json AS error, NULL::timestamptz AS completed_at, NULL::bigint AS billed_cost
               FROM claim JOIN held USING (account_id) WHERE status = 'running')`,
  at: "started_at",
  snapshot: snapshotSql("changed", { outputs: "'[]'::json", missing: "'[]'::json" }),
});

const insertWithoutEvents = declareInsert({
  events: "",
  deliveries: "NULL::json AS deliveries",
  shownIn: "server/domain/generations/intake/insert.sql",
});
const insertWithEvents = declareInsert({
  events: `, ${runningEventsSql}`,
  deliveries: pendingDeliveriesSql("accepted.id"),
  shownIn: "server/domain/generations/intake/insert-with-events.sql",
});
