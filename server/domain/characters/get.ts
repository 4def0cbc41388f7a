import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { type Character, characterSql, charactersSql } from "./character";
import { readId } from "./id";

/** The account's character; 404 `resource_not_found` for a missing, deleted, foreign or malformed id alike. */
export async function getCharacter(ctx: Ctx, id: string): Promise<Character> {
  const known = readId(id);
  const rows = known === null ? [] : await ctx.db.query<Character>(statement, [known, ctx.account.id]);
  if (!rows[0]) throw new AppError("resource_not_found", "There is no such character.");
  return rows[0];
}

const statement = `
  SELECT ${characterSql} FROM ${charactersSql} WHERE c.id = $1 AND c.account_id = $2 AND c.deleted_at IS NULL`;
