import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { fileSql, type FileRow } from "./file";
import { expiredSql } from "./in-use";

export const fileKinds = ["upload", "output"] as const;
export type FileKind = (typeof fileKinds)[number];

/** Returns one page of the account's files that have not expired, newest first; one statement on a dedicated index. */
export async function listFiles(
  ctx: Ctx,
  { limit, cursor, kind }: { limit: number; cursor?: string; kind?: FileKind },
): Promise<{ data: FileRow[]; next_cursor: string | null }> {
  const scope = JSON.stringify(["files", ctx.account.id, kind]);
  const before = cursor === undefined ? null : decodeCursor(ctx.hub.secret, scope, cursor);
  const rows = await ctx.hub.db.query<FileRow>(listFilesSql(kind), [ctx.account.id, ctx.hub.now(), before, limit + 1]);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(ctx.hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

const kindFilters = { upload: "AND f.generation_id IS NULL", output: "AND f.generation_id IS NOT NULL" };

// BETWEEN and ORDER BY account_id keep the planner on the index by account, as in the list of generations.
const listFilesSql = (kind?: FileKind) => `
  SELECT ${fileSql} FROM file f
  WHERE f.account_id BETWEEN $1 AND $1 AND f.stored_at IS NOT NULL AND f.removed_at IS NULL ${kind ? kindFilters[kind] : ""}
    AND ($3::uuid IS NULL OR f.id < $3) AND NOT ${expiredSql("$2")}
  ORDER BY f.account_id, f.id DESC LIMIT $4`;
