import type { Prisma } from "../../../prisma/client/client";
import { array, int4, jsonbText, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Queryable } from "../../db/client";
import type { Ctx } from "../../context";
import { eraseCheckpointsSql } from "../erasure/sql";
import { expireOutputsSql } from "../files/sql";
import { checkFields } from "./base-model";
import { type Character, type CharacterFields, getCharacter, invalidState, isBusy } from "./character";
import type { CharactersHub } from "./hub";

/** Writes the character's fields. Returns false when it was changed, trained or deleted since it was read. */
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

/** Inserts a draft, for which nothing is held. Throws the errors of `checkFields`. */
export async function createCharacter(ctx: Ctx<CharactersHub>, fields: CharacterFields): Promise<Character> {
  checkFields(ctx, fields);
  const { name, base_model: baseModel, trigger_word: triggerWord, images } = fields;
  const now = ctx.hub.now();
  const data = {
    accountId: ctx.account.id,
    createdAt: now,
    updatedAt: now,
    name,
    baseModel,
    triggerWord,
    images,
    parameters: fields.parameters as Prisma.InputJsonObject,
  };
  const { id } = await ctx.hub.db.prisma.character.create({ data, select: { id: true } });
  return getCharacter(ctx, String(id));
}

/** Replaces the given fields. Throws a 409 `invalid_state` while a training is in progress. */
export async function updateCharacter(
  ctx: Ctx<CharactersHub>,
  id: string,
  changes: Partial<CharacterFields>,
): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isBusy(character)) throw invalidState(character, "changed");
    const changed = { ...character, ...changes };
    // A rename does not revalidate fields that were valid when they were written.
    if (Object.keys(changes).some((field) => field !== "name")) checkFields(ctx, changed);
    if (await writeFields(ctx.hub.db, changed, ctx.hub.now())) return getCharacter(ctx, id);
  }
}

const DAY_MS = 86_400_000;

/**
 * Deletes a character with its name, trigger word and images; its training outputs then expire like any other output. Throws a
 * 409 `invalid_state` while a training is in progress.
 */
export async function deleteCharacter(ctx: Ctx<CharactersHub>, id: string): Promise<void> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isBusy(character)) throw invalidState(character, "deleted");
    const { id: characterId, version } = character;
    const now = ctx.hub.now();
    const outputs_expire_at = new Date(now.getTime() + ctx.hub.env.OUTPUT_TTL_DAYS * DAY_MS);
    const deleted = await markDeleted(ctx.hub.db, { id: characterId, version, now, outputs_expire_at });
    if (deleted.length > 0) return;
  }
}

const markDeleted = statement({
  params: { id: int4, version: int4, now: timestamptz, outputs_expire_at: timestamptz },
  row: { id: int4 },
  text: `
    WITH deleted_character AS (
      UPDATE character SET deleted_at = :now, version = version + 1,
                           name = '', trigger_word = NULL, images = '{}', parameters = '{}'
      WHERE id = :id AND version = :version AND deleted_at IS NULL RETURNING id
    ),
    ${eraseCheckpointsSql},
    ${expireOutputsSql(":outputs_expire_at")}
    SELECT id FROM deleted_character`,
});
