import type { Metadata } from "../../context";
import type { Queryable } from "../../db/client";
import { array, bool, bytea, int4, jsonb, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { ERASED_MESSAGE } from "../../errors";
import { getFingerprintPads, keyedFingerprintSql } from "../../lib/keyed-fingerprint";
import { removeErasedOutputs } from "../files";
import { eraseOutputsSql } from "../files/sql";
import { eraseAlertedUsers } from "./erase-alerted-users";
import { eraseLabelsFromUsage } from "./erase-usage";
import type { ErasureHub } from "./hub";
import { reduceEvents } from "./reduce-events";

interface ErasureOptions {
  /** Whether outputs and replies stay until they expire themselves. */
  keepsOutputs?: boolean;
}

/**
 * Erases the content of the given generations that have ended, at most a few hundred; the rows and their money stay. Returns
 * how many it erased. Safe to repeat, and to interrupt at any point: content in the storage is removed after its row says so,
 * and `expireFiles` finds what is left.
 */
export async function eraseContent(hub: ErasureHub, ids: string[], options: ErasureOptions = {}): Promise<number> {
  const { count, outputs } = await hub.db.transaction((tx) => eraseRows(hub, tx, ids, options));
  await removeErasedOutputs(hub, outputs);
  return count;
}

/**
 * Erases the rows of `eraseContent` in a transaction. Returns how many generations have ended, and the ids of the outputs to
 * pass to `removeErasedOutputs` once it is committed.
 */
export async function eraseRows(
  hub: ErasureHub,
  tx: Queryable,
  ids: string[],
  { keepsOutputs = false }: ErasureOptions = {},
): Promise<{ count: number; outputs: string[] }> {
  // A separate statement, so that the next ones see what a concurrent statement wrote when it ended a generation.
  const ended = await lockEnded(tx, ids);
  if (ended.length === 0) return { count: 0, outputs: [] };
  // Before anything is erased: a crash in between must not leave content that a restored backup would bring back.
  const kind = keepsOutputs ? "input" : "generation";
  await hub.tombstones.add(ended.map(({ id }) => ({ kind, id })), hub.now()); // prettier-ignore
  const target = { ids: ended.map(({ id }) => id), now: hub.now(), keeps_outputs: keepsOutputs };
  await reduceEvents(hub, tx, { ...target, keeps_content: false });
  await eraseAlertedUsers(tx, ended);
  const outputs = await eraseRecords(tx, { ...target, ...getFingerprintPads(hub), message: ERASED_MESSAGE });
  if (!keepsOutputs) await eraseLabelsFromUsage(tx, ended);
  const runs = ended.flatMap(({ run_id }) => run_id ?? []);
  await hub.jobEngine.eraseRuns(tx, runs);
  return { count: ended.length, outputs: outputs.map(({ id }) => id) };
}

const lockEnded = statement({
  params: [array(uuid)],
  row: {
    id: uuid,
    run_id: nullable(text),
    account_id: int4,
    end_user: nullable(text),
    metadata: nullable(jsonb<Metadata>()),
    settled_at: nullable(timestamptz),
  },
  text: `
    SELECT id, run_id, account_id, end_user, metadata, settled_at FROM generation WHERE id = ANY ($1::uuid[]) AND completed_at IS NOT NULL
    ORDER BY id FOR NO KEY UPDATE`,
});

// A row of words stays, but empty: the indexing of older generations begins before the oldest row. The state of a character's
// training stays with the character.
const eraseRecords = statement({
  params: {
    ids: array(uuid),
    now: timestamptz,
    keeps_outputs: bool,
    inner_pad: bytea,
    outer_pad: bytea,
    message: text,
  },
  row: { id: uuid },
  text: `
    WITH erased AS (
      UPDATE generation g SET
        input = '{}', metadata = NULL, end_user = NULL, missing = NULL, external_inputs = NULL, stored_answer = NULL,
        request_digest = NULL, joinable_at = NULL, video = NULL, webhook = NULL, erased_at = :now,
        error = error || jsonb_build_object('message', :message::text),
        fingerprint = CASE WHEN idempotency_key IS NOT NULL THEN ${keyedFingerprintSql} END,
        checkpoint = CASE WHEN EXISTS (SELECT FROM character c WHERE c.id = g.character_id AND c.deleted_at IS NULL)
                       THEN checkpoint END
      WHERE id = ANY (:ids::uuid[]) AND erased_at IS NULL
      RETURNING batch_id
    ),
    erased_batch AS (
      UPDATE batch SET erased_at = :now, webhook = CASE WHEN completed_at IS NULL THEN webhook END,
                       fingerprint = ${keyedFingerprintSql}
      WHERE id IN (SELECT batch_id FROM erased) AND erased_at IS NULL
    ),
    forgotten_words AS (
      UPDATE generation_words SET words = '' WHERE generation_id = ANY (:ids::uuid[]) AND words <> ''
    ),
    deleted_item AS (DELETE FROM collection_item WHERE generation_id = ANY (:ids::uuid[]) AND NOT :keeps_outputs),
    deleted_reply AS (
      DELETE FROM chat_reply WHERE generation_id = ANY (:ids::uuid[]) AND NOT :keeps_outputs
    ),
    deleted_response AS (DELETE FROM response WHERE generation_id = ANY (:ids::uuid[])),
    deleted_piece AS (DELETE FROM vector_piece WHERE generation_id = ANY (:ids::uuid[])),
    forgotten_rejection AS (
      UPDATE rejected_request SET message = :message WHERE generation_id = ANY (:ids::uuid[]) AND message <> :message
    ),
    -- Addresses of the generations' own webhooks; those of pending deliveries go when these have ended.
    forgotten_address AS (
      UPDATE delivery d SET url = '' FROM event e
      WHERE e.generation_id = ANY (:ids::uuid[]) AND d.event_n = e.n AND d.url <> '' AND d.state <> 'pending'
    ),
    ${eraseOutputsSql}
    SELECT id FROM hidden_output`,
});
