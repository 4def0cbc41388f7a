import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { type Character, characterSql, charactersSql } from "./character";

/** One page of the account's characters, with these columns, newest first. */
export async function listCharacters<Row extends Character = Character>(
  ctx: Ctx,
  { limit, cursor }: { limit: number; cursor?: string },
  columns = characterSql,
): Promise<{ data: Row[]; next_cursor: string | null }> {
  const scope = JSON.stringify(["characters", ctx.account.id]);
  const before = cursor === undefined ? null : decodeCursor(ctx.secret, scope, cursor);
  const found = await ctx.db.query<Row>(statement(columns), [ctx.account.id, before, limit + 1]);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.secret, scope, String(data.at(-1)!.id)) : null;
  return { data, next_cursor };
}

// A range and an order by account keep the planner on the account's own index, as in the listing of generations.
const statement = (columns: string) => `
  SELECT ${columns} FROM ${charactersSql}
  WHERE c.account_id BETWEEN $1 AND $1 AND c.deleted_at IS NULL AND ($2::int IS NULL OR c.id < $2)
  ORDER BY c.account_id, c.id DESC LIMIT $3`;
