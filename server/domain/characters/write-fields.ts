import { array, int4, jsonbText, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Queryable } from "../../db/client";
import type { Character } from "./character";

/** Updates the character's fields; returns false when it was changed, trained or deleted since it was read. */
export async function writeFields(db: Queryable, character: Character, now: Date): Promise<boolean> {
  const { id, version, name, base_model, trigger_word, images, parameters } = character;
  const fields = [name, base_model, trigger_word, images, JSON.stringify(parameters)] as const;
  return (await updateFields(db, id, version, ...fields, now)).length > 0;
}

const updateFields = statement({
  params: [int4, int4, text, text, nullable(text), array(text), jsonbText, timestamptz],
  row: { id: int4 },
  text: `
    UPDATE character SET name = $3, base_model = $4, trigger_word = $5, images = $6, parameters = $7, updated_at = $8,
                         version = version + 1
    WHERE id = $1 AND version = $2 AND deleted_at IS NULL RETURNING id`,
});
