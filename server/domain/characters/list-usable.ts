import type { Ctx } from "../../context";
import { getModel } from "../models/get";
import { isSandbox, sandboxIds, acceptsCharacter } from "./accepts-character";

/** More than anybody would look through in one list. */
const MOST = 500;

export interface UsableCharacter {
  id: number;
  name: string;
}

/**
 * The account's ready characters that an input of this model can name, by name; of very many the newest. None for a
 * model that takes none; 404 `model_not_found`.
 */
export async function listUsable(ctx: Ctx, modelId: string): Promise<UsableCharacter[]> {
  const model = getModel(ctx, modelId);
  if (!acceptsCharacter(model)) return [];
  const found = await ctx.db.query<UsableCharacter>(statement, [ctx.account.id, sandboxIds, isSandbox(model.id), MOST]);
  return found.sort((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
}

// As `understands` has it; and as `findLearned`, without what has nothing left of its training.
const statement = `
  SELECT c.id, c.name FROM character c
  JOIN generation g ON g.character_id = c.id AND g.status = 'succeeded' AND (g.model = ANY ($2)) = $3
  WHERE c.account_id BETWEEN $1 AND $1 AND c.deleted_at IS NULL
    AND EXISTS (SELECT FROM file f WHERE f.generation_id = g.id AND f.stored_at IS NOT NULL AND f.removed_at IS NULL)
  ORDER BY c.account_id, c.id DESC LIMIT $4`;
