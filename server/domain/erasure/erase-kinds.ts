import type { Queryable } from "../../db/client";
import { array, bool, int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { eraseOutputsSql } from "../files/sql";
import { isLabelWordSql } from "../generations/search/sql";
import { eraseAlertedUsers } from "./erase-alerted-users";
import type { ErasureHub } from "./hub";
import { reduceEvents } from "./reduce-events";

/**
 * Erases the outputs, replies, stored responses and places in collections of these generations, which have ended. Returns the
 * ids of the outputs to remove.
 */
export const eraseOutputs = async (tx: Queryable, ids: string[], now: Date): Promise<string[]> =>
  (await hideOutputs(tx, { ids, now, keeps_outputs: false })).map(({ id }) => id);

const hideOutputs = statement({
  params: { ids: array(uuid), now: timestamptz, keeps_outputs: bool },
  row: { id: uuid },
  text: `
    WITH deleted_reply AS (DELETE FROM chat_reply WHERE generation_id = ANY (:ids::uuid[])),
    deleted_response AS (DELETE FROM response WHERE generation_id = ANY (:ids::uuid[])),
    deleted_item AS (DELETE FROM collection_item WHERE generation_id = ANY (:ids::uuid[])),
    ${eraseOutputsSql}
    SELECT id FROM hidden_output`,
});

/** SQL that keeps those words of the generations `$1` for which a condition on `word` holds. */
const keepWordsSql = (condition: string) => `
  UPDATE generation_words w SET words = array_to_tsvector(ARRAY(
    SELECT word FROM unnest(tsvector_to_array(w.words)) AS word WHERE ${condition}))
  WHERE w.generation_id = ANY ($1::uuid[]) AND w.words <> ''`;

/** Erases the words by which these generations are found; they are still found by their metadata. */
export const eraseWords = statement({ params: [array(uuid)], row: {}, text: keepWordsSql(isLabelWordSql("word")) });

/** Erases the metadata and end users of these generations, which have ended. */
export async function eraseLabels(hub: ErasureHub, tx: Queryable, ids: string[]): Promise<void> {
  const labelled = await lockLabelled(tx, ids);
  const target = { ids: labelled.map(({ id }) => id), now: hub.now(), keeps_content: true, keeps_outputs: true };
  await reduceEvents(hub, tx, target);
  await eraseAlertedUsers(tx, labelled);
  await removeLabels(tx, ids);
}

const lockLabelled = statement({
  params: [array(uuid)],
  row: { id: uuid, account_id: int4, end_user: nullable(text) },
  text: `
    SELECT id, account_id, end_user FROM generation
    WHERE id = ANY ($1::uuid[]) AND (metadata IS NOT NULL OR end_user IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE`,
});

const removeLabels = statement({
  params: [array(uuid)],
  row: {},
  text: `
    WITH unlabelled AS (
      UPDATE generation SET metadata = NULL, end_user = NULL
      WHERE id = ANY ($1::uuid[]) AND (metadata IS NOT NULL OR end_user IS NOT NULL)
    )
    ${keepWordsSql(`NOT ${isLabelWordSql("word")}`)}`,
});
