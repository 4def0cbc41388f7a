import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { isDiskFull } from "../../db/violation";
import { isId } from "../../lib/id";
import { NEVER_EXPIRES } from "./never-expires";
import { expiredSql, inUseSql } from "./in-use";
import { markRemovedSql } from "./mark-removed";

/**
 * Ends a file of the account before its time: its content is removed, the record stays. 404 `resource_not_found` when
 * it is missing, foreign or gone already, 409 `file_in_use` while an unsettled generation names it,
 * or a character has learned it.
 */
export async function deleteFile(ctx: Ctx, id: string): Promise<void> {
  const now = ctx.now();
  const [file] = isId(id) ? await endFile(ctx, id, now) : [];
  if (!file) throw new AppError("resource_not_found");
  if (file.used) throw new AppError("file_in_use", "A generation that has not ended uses this file, or a character.");
  // It has expired: the rest is what the sweep would do, only sooner.
  await ctx.storage.remove(id.toLowerCase());
  await ctx.db.query(markRemovedSql, [[id], now]);
}

async function endFile(ctx: Ctx, id: string, now: Date): Promise<{ used: boolean }[]> {
  const values = [id, ctx.account.id, now];
  try {
    return await ctx.db.query<{ used: boolean }>(statement, values);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    // Its content is often on the same disk: without it there is room to write that it is gone.
    const [file] = await ctx.db.query<{ used: boolean }>(findSql, values);
    if (file && !file.used) await ctx.storage.remove(id.toLowerCase());
    return ctx.db.query<{ used: boolean }>(statement, values);
  }
}

const findSql = `
  SELECT f.id, f.expires_at = '${NEVER_EXPIRES}' OR ${inUseSql} AS used FROM file f
  WHERE f.id = $1 AND f.account_id = $2 AND f.stored_at IS NOT NULL AND NOT ${expiredSql("$3")}`;

const statement = `
  WITH found AS MATERIALIZED (${findSql} FOR UPDATE OF f),
  ended AS (UPDATE file SET expires_at = $3 FROM found WHERE file.id = found.id AND NOT found.used)
  SELECT used FROM found`;
