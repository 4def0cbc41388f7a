import type { Ctx } from "../../context";
import { array, bool, int4, int8Number, nullable, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { acceptsCharacter, getModel, sandboxIds } from "../models";
import type { CharactersHub } from "./hub";
import { hasContentSql } from "../files/sql";

/** The console shows the list in a menu. */
const MAX_CHARACTERS = 500;

interface UsableCharacter {
  id: number;
  name: string;
  trigger_word: string | null;
}

/**
 * Returns the account's ready characters that this model can use, the newest 500, sorted by name; none for a model without a
 * parameter `character`. Throws a 404 `model_not_found`.
 */
export async function listUsable(ctx: Ctx<CharactersHub>, modelId: string): Promise<UsableCharacter[]> {
  const model = getModel(ctx, modelId);
  if (!acceptsCharacter(model)) return [];
  const characters = await selectUsable(
    ctx.hub.db,
    ctx.account.id,
    sandboxIds,
    sandboxIds.includes(model.id),
    MAX_CHARACTERS,
  );
  return characters.sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

// The same conditions as `isCompatible` and `findLearnedCharacter`: the outputs of the training still exist.
const selectUsable = statement({
  params: [int4, array(text), bool, int8Number],
  row: { id: int4, name: text, trigger_word: nullable(text) },
  text: `
    SELECT c.id, c.name, c.trigger_word FROM character c
    JOIN generation g ON g.character_id = c.id AND g.status = 'succeeded' AND (g.model = ANY ($2)) = $3
    WHERE c.account_id BETWEEN $1 AND $1 AND c.deleted_at IS NULL
      AND EXISTS (SELECT FROM file f WHERE f.generation_id = g.id AND ${hasContentSql("f")})
    ORDER BY c.account_id, c.id DESC LIMIT $4`,
});

/** Returns the trigger word of a character of the account; null for an unknown id, and for a character without one. */
export async function findTriggerWord({ hub, account }: Ctx<CharactersHub>, id: number): Promise<string | null> {
  const where = { id, accountId: account.id, deletedAt: null };
  const character = await hub.db.prisma.character.findFirst({ where, select: { triggerWord: true } });
  return character?.triggerWord ?? null;
}
