import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { type Character, characterSql, charactersSql } from "./character";
import { parseCharacterId } from "./character-id";

/**
 * The account's character, with these columns; 404 `resource_not_found` for a missing, deleted, foreign or malformed id
 * alike.
 */
export async function getCharacter<Row extends Character = Character>(
  ctx: Ctx,
  id: string,
  columns = characterSql,
): Promise<Row> {
  const known = parseCharacterId(id);
  const rows = known === null ? [] : await ctx.db.query<Row>(statement(columns), [known, ctx.account.id]);
  if (!rows[0]) throw new AppError("resource_not_found", "There is no such character.");
  return rows[0];
}

const statement = (columns: string) => `
  SELECT ${columns} FROM ${charactersSql} WHERE c.id = $1 AND c.account_id = $2 AND c.deleted_at IS NULL`;
