import type { Model } from "../../catalogue/model";
import { type Ctx, onlyKeyOf } from "../../context";
import { bool, int4, json, nullable, text } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { InputUnavailable } from "../../providers/input-unavailable";
import { fileUrl } from "../files";
import { acceptsCharacter, isCompatible } from "../models";
import { rejectInput, type Root } from "../model-inputs";
import type { ReferencesHub } from "./hub";
import { hasContentSql } from "../files/sql";

/** The largest value of the column `character.id`, a Postgres integer. */
export const MAX_CHARACTER_ID = 2 ** 31 - 1;

const learnedColumns = {
  name: text,
  trigger_word: nullable(text),
  base_model: text,
  deleted: bool,
  outputs: json<{ id: string; media_type: string }[]>(),
};

/** A trained character with the outputs of its training. */
type LearnedCharacter = RowOf<typeof learnedColumns>;

/**
 * Returns the account's trained character, even when it is deleted. Null when it does not exist or is not ready, or when its
 * files are gone.
 */
export async function findLearnedCharacter(
  hub: ReferencesHub,
  accountId: number,
  id: unknown,
): Promise<LearnedCharacter | null> {
  if (!Number.isInteger(id) || Number(id) < 1 || Number(id) > MAX_CHARACTER_ID) return null;
  return (await selectLearned(hub.db, Number(id), accountId))[0] ?? null;
}

const selectLearned = statement({
  params: [int4, int4],
  row: learnedColumns,
  text: `
    SELECT c.name, g.input ->> 'trigger_word' AS trigger_word, g.model AS base_model, c.deleted_at IS NOT NULL AS deleted,
           json_agg(json_build_object('id', f.id, 'media_type', f.media_type) ORDER BY f.index) AS outputs
    FROM character c JOIN generation g ON g.character_id = c.id AND g.status = 'succeeded'
    JOIN file f ON f.generation_id = g.id AND ${hasContentSql("f")}
    WHERE c.id = $1 AND c.account_id = $2
    GROUP BY c.id, g.id`,
});

/** Throws a 400 `invalid_input` at `input.character` unless it is a ready character of the account that suits the model. */
export async function checkCharacter(
  ctx: Ctx<ReferencesHub>,
  model: Model,
  { character }: Record<string, unknown>,
  root: Root = "input",
): Promise<void> {
  if (character === undefined || !acceptsCharacter(model)) return;
  // A key that sees only its own files cannot make characters, so it has none.
  const isHidden = onlyKeyOf(ctx.actor) !== null;
  const learned = isHidden ? null : await findLearnedCharacter(ctx.hub, ctx.account.id, character);
  if (!learned || learned.deleted) rejectInput(root, [["character", "is not a ready character of this account"]]);
  if (!isCompatible(model.id, learned.base_model)) {
    rejectInput(root, [["character", `was trained by ${learned.base_model}, whose characters this model cannot use`]]);
  }
}

/**
 * Returns the generation's input with the character's id replaced by an object: its id, name and trigger word, and the URLs of
 * its training outputs. Throws InputUnavailable when these do not exist any more.
 */
export async function resolveCharacter(
  hub: ReferencesHub,
  { account_id, model, input }: { account_id: number; model: string; input: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  const offered = hub.catalogue.get(model);
  if (input.character === undefined || !offered || !acceptsCharacter(offered)) return input;
  const learned = await findLearnedCharacter(hub, account_id, input.character);
  if (!learned) throw new InputUnavailable("The files of the character do not exist any more.");
  const { name, trigger_word } = learned;
  const outputs = learned.outputs.map(({ id, media_type }) => ({ url: fileUrl(hub, id), media_type }));
  return { ...input, character: { id: input.character, name, trigger_word, outputs } };
}
