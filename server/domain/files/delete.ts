import { array, timestamptz, uuid, bool, int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Ctx } from "../../context";
import { AppError, isAppError } from "../../errors";
import { isDiskFull } from "../../db/violation";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { isId } from "../../lib/id";
import { refundUploadsSql } from "../accounts/sql";
import type { FilesHub } from "./hub";
import { NEVER_EXPIRES } from "./never-expires";
import { expiredSql, inUseSql } from "./in-use";
import { removeContent } from "./thumbnail";

/**
 * Marks these files as removed at this time and returns the size of uploads to the account's quota. Files that are already
 * marked are skipped, so the quota is refunded once. Uploads lose their names, which people chose. A file whose direct upload
 * has not expired is not refunded: its link can still store content, so the upload is open again, and its size stays reserved
 * until it expires.
 */
export const markRemoved = statement({
  params: [array(uuid), timestamptz],
  row: {},
  text: `
    WITH marked AS (
      UPDATE file SET removed_at = $2, name = CASE WHEN generation_id IS NOT NULL THEN name END WHERE id = ANY ($1::uuid[]) AND removed_at IS NULL
      RETURNING id, account_id, generation_id, size
    ),
    reopened AS (
      UPDATE direct_upload SET file_id = NULL FROM marked WHERE file_id = marked.id AND direct_upload.expires_at > $2
      RETURNING marked.id
    ),
    removed AS (SELECT account_id, generation_id, size FROM marked WHERE id NOT IN (SELECT id FROM reopened)),
    ${refundUploadsSql}`,
});

/**
 * Deletes the content of one of the account's files; the row stays. Throws a 404 `resource_not_found` when the file is
 * missing, another account's or already removed, and a 409 `file_in_use` while an unsettled generation refers to it or it
 * belongs to a character.
 */
export async function deleteFile(ctx: Ctx<FilesHub>, id: string): Promise<void> {
  const now = ctx.hub.now();
  const [file] = isId(id) ? await expireNow(ctx, id, now) : [];
  if (!file) throw new AppError("resource_not_found");
  if (file.used) throw new AppError("file_in_use", "This file is used by an unfinished generation or a character.");
  // The file counts as expired from here on, so the sweep removes it if this fails.
  await removeContent(ctx.hub, id.toLowerCase());
  await markRemoved(ctx.hub.db, [id], now);
}

const MAX_CONCURRENT = 4;

/** Deletes several of the account's files. Returns how many were deleted and how many are in use; skips missing ones. */
export async function deleteFiles(ctx: Ctx<FilesHub>, ids: string[]): Promise<{ deleted: number; in_use: number }> {
  const limit = createConcurrencyLimit(MAX_CONCURRENT);
  const remove = (id: string) => limit.run(() => deleteFile(ctx, id).then(() => "deleted", codeOf));
  const codes = await Promise.all([...new Set(ids)].map(remove));
  const count = (code: string) => codes.filter((one) => one === code).length;
  return { deleted: count("deleted"), in_use: count("file_in_use") };
}

function codeOf(error: unknown): string {
  if (isAppError(error) && ["resource_not_found", "file_in_use"].includes(error.code)) return error.code;
  throw error;
}

async function expireNow({ hub, account }: Ctx<FilesHub>, id: string, now: Date): Promise<{ used: boolean }[]> {
  try {
    return await expireUnused(hub.db, id, account.id, now);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    // The content is often on the same full disk: removing it first makes room to record the deletion.
    const [file] = await selectUsed(hub.db, id, account.id, now);
    if (file && !file.used) await removeContent(hub, id.toLowerCase());
    return expireUnused(hub.db, id, account.id, now);
  }
}

const findSql = `
  SELECT f.id, f.expires_at = '${NEVER_EXPIRES}' OR ${inUseSql} AS used FROM file f
  WHERE f.id = $1 AND f.account_id = $2 AND f.stored_at IS NOT NULL AND NOT ${expiredSql("$3")}`;

const selectUsed = statement({ params: [uuid, int4, timestamptz], row: { id: uuid, used: bool }, text: findSql });

const expireUnused = statement({
  params: [uuid, int4, timestamptz],
  row: { used: bool },
  text: `
    WITH found AS MATERIALIZED (${findSql} FOR UPDATE OF f),
    ended AS (UPDATE file SET expires_at = $3 FROM found WHERE file.id = found.id AND NOT found.used)
    SELECT used FROM found`,
});
