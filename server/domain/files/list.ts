import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { fileSql, type FileRow } from "./file";
import { expiredSql } from "./in-use";

export const fileKinds = ["upload", "output"] as const;
export type FileKind = (typeof fileKinds)[number];

/** One page of the account's files that have not expired, newest first: one statement on an index of its own. */
export async function listFiles(
  ctx: Ctx,
  { limit, cursor, kind }: { limit: number; cursor?: string; kind?: FileKind },
): Promise<{ data: FileRow[]; next_cursor: string | null }> {
  const scope = JSON.stringify(["files", ctx.account.id, kind]);
  const before = cursor === undefined ? null : decodeCursor(ctx.secret, scope, cursor);
  const found = await ctx.db.query<FileRow>(statement(kind), [ctx.account.id, ctx.now(), before, limit + 1]);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

const ofKind = { upload: "AND f.generation_id IS NULL", output: "AND f.generation_id IS NOT NULL" };

// A range and an order by account keep the planner on the account's own index, as in the listing of generations.
const statement = (kind?: FileKind) => `
  SELECT ${fileSql} FROM file f
  WHERE f.account_id BETWEEN $1 AND $1 AND f.stored_at IS NOT NULL AND f.removed_at IS NULL ${kind ? ofKind[kind] : ""}
    AND ($3::uuid IS NULL OR f.id < $3) AND NOT ${expiredSql("$2")}
  ORDER BY f.account_id, f.id DESC LIMIT $4`;
