import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, int8Number, nullable } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { MAX_CHARACTER_ID } from "../references";
import { type Character, characterColumns, characterSql, charactersSql } from "./character";
import type { CharactersHub } from "./hub";

/** Returns the character id in a text; null when it is malformed. */
export function parseCharacterId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= MAX_CHARACTER_ID ? id : null;
}

/**
 * Returns the account's character. Throws the same 404 `resource_not_found` for a missing, deleted, malformed or another
 * account's id.
 */
export const getCharacter = (ctx: Ctx<CharactersHub>, id: string): Promise<Character> =>
  getCharacterBy(selectCharacter, ctx, id);

/** Returns the character that `select` finds, as `getCharacter` does. */
export async function getCharacterBy<Row>(
  select: (db: Queryable, id: number, accountId: number) => Promise<Row[]>,
  ctx: Ctx<CharactersHub>,
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

interface Page {
  limit: number;
  cursor?: string;
}

interface Characters<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** Returns one page of the account's characters, newest first. */
export const listCharacters = (ctx: Ctx<CharactersHub>, page: Page): Promise<Characters<Character>> =>
  listCharactersBy(selectCharacters, ctx, page);

/** Returns one page of the characters that `select` finds, as `listCharacters` does. */
export async function listCharactersBy<Row extends { id: number }>(
  select: (db: Queryable, accountId: number, before: number | null, limit: number) => Promise<Row[]>,
  ctx: Ctx<CharactersHub>,
  { limit, cursor }: Page,
): Promise<Characters<Row>> {
  const scope = JSON.stringify(["characters", ctx.account.id]);
  const before = cursor === undefined ? null : Number(decodeCursor(ctx.hub, scope, cursor));
  const rows = await select(ctx.hub.db, ctx.account.id, before, limit + 1);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(ctx.hub.secret, scope, String(data.at(-1)!.id)) : null;
  return { data, next_cursor };
}

/**
 * Returns SQL that selects these columns of at most `$3` characters of the account `$1`, before the id `$2`. BETWEEN and
 * ORDER BY account_id keep the planner on the index by account, as in the list of generations.
 */
export const listCharactersSql = (columns: string): string => `
  SELECT ${columns} FROM ${charactersSql}
  WHERE c.account_id BETWEEN $1 AND $1 AND c.deleted_at IS NULL AND ($2::int IS NULL OR c.id < $2)
  ORDER BY c.account_id, c.id DESC LIMIT $3`;

const selectCharacters = statement({
  params: [int4, nullable(int4), int8Number],
  row: characterColumns,
  text: listCharactersSql(characterSql),
});
