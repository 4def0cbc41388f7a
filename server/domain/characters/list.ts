import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { type Character, characterSql, charactersSql } from "./character";

/** Returns one page of the account's characters with these columns, newest first. */
export async function listCharacters<Row extends Character = Character>(
  ctx: Ctx,
  { limit, cursor }: { limit: number; cursor?: string },
  columns = characterSql,
): Promise<{ data: Row[]; next_cursor: string | null }> {
  const scope = JSON.stringify(["characters", ctx.account.id]);
  const before = cursor === undefined ? null : decodeCursor(ctx.hub.secret, scope, cursor);
  const rows = await ctx.hub.db.query<Row>(listCharactersSql(columns), [ctx.account.id, before, limit + 1]);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(ctx.hub.secret, scope, String(data.at(-1)!.id)) : null;
  return { data, next_cursor };
}

// BETWEEN and ORDER BY account_id keep the planner on the index by account, as in the list of generations.
const listCharactersSql = (columns: string) => `
  SELECT ${columns} FROM ${charactersSql}
  WHERE c.account_id BETWEEN $1 AND $1 AND c.deleted_at IS NULL AND ($2::int IS NULL OR c.id < $2)
  ORDER BY c.account_id, c.id DESC LIMIT $3`;
