import type { Ctx } from "../../context";
import { int4, int8Number, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { fileColumns, fileSql, type FileRow } from "./file";
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
  const rows = await selectFiles[kind ?? "all"](ctx.hub.db, ctx.account.id, ctx.hub.now(), before, limit + 1);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(ctx.hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

// BETWEEN and ORDER BY account_id keep the planner on the index by account, as in the list of generations.
const declareSelect = (kindFilter: string) =>
  statement({
    params: [int4, timestamptz, nullable(uuid), int8Number],
    row: fileColumns,
    text: `
      SELECT ${fileSql} FROM file f
      WHERE f.account_id BETWEEN $1 AND $1 AND f.stored_at IS NOT NULL AND f.removed_at IS NULL ${kindFilter}
        AND ($3::uuid IS NULL OR f.id < $3) AND NOT ${expiredSql("$2")}
      ORDER BY f.account_id, f.id DESC LIMIT $4`,
  });

const selectFiles = {
  all: declareSelect(""),
  upload: declareSelect("AND f.generation_id IS NULL"),
  output: declareSelect("AND f.generation_id IS NOT NULL"),
};
