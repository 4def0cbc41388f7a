import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { type Character, characterSql, charactersSql } from "./character";
import { parseCharacterId } from "./character-id";

/**
 * Returns the account's character with these columns. Throws the same 404 `resource_not_found` for a missing, deleted,
 * malformed or another account's id.
 */
export async function getCharacter<Row extends Character = Character>(
  ctx: Ctx,
  id: string,
  columns = characterSql,
): Promise<Row> {
  const characterId = parseCharacterId(id);
  const rows =
    characterId === null ? [] : await ctx.hub.db.query<Row>(getCharacterSql(columns), [characterId, ctx.account.id]);
  if (!rows[0]) throw new AppError("resource_not_found", "There is no such character.");
  return rows[0];
}

const getCharacterSql = (columns: string) => `
  SELECT ${columns} FROM ${charactersSql} WHERE c.id = $1 AND c.account_id = $2 AND c.deleted_at IS NULL`;
