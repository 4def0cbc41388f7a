import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { fileSql, type FileRow } from "./file";
import { expiredSql } from "./in-use";

/**
 * The account's file with this content, the one that lives longest: 404 `resource_not_found` when it never held it,
 * 410 `file_expired` when it does no longer. Content of other accounts is never found.
 */
export async function findByHash(hub: Hub, accountId: number, sha256: string): Promise<FileRow> {
  const values = [accountId, Buffer.from(sha256, "hex"), hub.now()];
  const [row] = await hub.db.query<FileRow & { expired: boolean }>(statement, values);
  if (!row) throw new AppError("resource_not_found");
  const { expired, ...file } = row;
  if (expired) throw new AppError("file_expired");
  return file;
}

// Both halves have an index of their own.
const statement = `
  WITH held AS (
    SELECT ${fileSql}, ${expiredSql("$3")} AS expired FROM file f
    WHERE f.account_id = $1 AND f.sha256 = $2 AND f.stored_at IS NOT NULL AND f.removed_at IS NULL
    ORDER BY expires_at DESC LIMIT 1
  ),
  removed AS (
    SELECT ${fileSql}, true AS expired FROM file f
    WHERE f.account_id = $1 AND f.sha256 = $2 AND f.removed_at IS NOT NULL LIMIT 1
  )
  SELECT * FROM held UNION ALL SELECT * FROM removed WHERE NOT EXISTS (SELECT FROM held)`;
