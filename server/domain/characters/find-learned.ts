import type { Hub } from "../../context";
import { bool, int4, json, nullable, text } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { MAX_CHARACTER_ID } from "./character-id";

const learnedColumns = {
  name: text,
  trigger_word: nullable(text),
  base_model: text,
  deleted: bool,
  outputs: json<{ id: string; media_type: string }[]>(),
};

/** A trained character with the outputs of its training. */
export type LearnedCharacter = RowOf<typeof learnedColumns>;

/** Returns the account's trained character, even when it is deleted. Null when it does not exist or is not ready. */
export async function findLearnedCharacter(hub: Hub, accountId: number, id: unknown): Promise<LearnedCharacter | null> {
  if (!Number.isInteger(id) || Number(id) < 1 || Number(id) > MAX_CHARACTER_ID) return null;
  const [learned] = await selectLearned(hub.db, Number(id), accountId);
  return learned ?? null;
}

const selectLearned = statement({
  params: [int4, int4],
  row: learnedColumns,
  text: `
    SELECT c.name, g.input ->> 'trigger_word' AS trigger_word, g.model AS base_model, c.deleted_at IS NOT NULL AS deleted,
           json_agg(json_build_object('id', f.id, 'media_type', f.media_type) ORDER BY f.index) AS outputs
    FROM character c JOIN generation g ON g.character_id = c.id AND g.status = 'succeeded'
    JOIN file f ON f.generation_id = g.id AND f.stored_at IS NOT NULL AND f.removed_at IS NULL
    WHERE c.id = $1 AND c.account_id = $2
    GROUP BY c.id, g.id`,
});
