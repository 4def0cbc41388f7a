import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { type Character, characterColumns, characterSql, charactersSql } from "./character";
import { parseCharacterId } from "./character-id";

/**
 * Returns the account's character. Throws the same 404 `resource_not_found` for a missing, deleted, malformed or another
 * account's id.
 */
export const getCharacter = (ctx: Ctx, id: string): Promise<Character> => getCharacterBy(selectCharacter, ctx, id);

/** Returns the character that `select` finds, as `getCharacter` does. */
export async function getCharacterBy<Row>(
  select: (db: Queryable, id: number, accountId: number) => Promise<Row[]>,
  ctx: Ctx,
  id: string,
): Promise<Row> {
  const characterId = parseCharacterId(id);
  const [row] = characterId === null ? [] : await select(ctx.hub.db, characterId, ctx.account.id);
  if (!row) throw new AppError("resource_not_found", "There is no such character.");
  return row;
}

/** Returns SQL that selects these columns of the character `$1` of the account `$2`. */
export const getCharacterSql = (columns: string): string => `
  SELECT ${columns} FROM ${charactersSql} WHERE c.id = $1 AND c.account_id = $2 AND c.deleted_at IS NULL`;

const selectCharacter = statement({
  params: [int4, int4],
  row: characterColumns,
  text: getCharacterSql(characterSql),
});
