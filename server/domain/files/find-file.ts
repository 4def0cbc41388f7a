import type { Readable } from "node:stream";
import { type Ctx, onlyKeyOf } from "../../context";
import { bool, int4, nullable, timestamptz, uuid, bytea } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { ByteRange } from "../../storage/storage";
import { fileColumns, type FileRow, fileSql, hasContentSql, isFileOfKeySql } from "./file";
import type { FilesHub } from "./hub";
import { expiredSql } from "./in-use";

/** A file, and whether its generation keeps nothing once its owner has fetched it. */
type FoundFile = FileRow & { is_transient: boolean };

/**
 * Returns the account's file, or the key's if it sees only its own. Throws a 404 `resource_not_found` when it is missing,
 * another account's or unfinished, and a 410 `file_expired` when it has expired.
 */
export const findFile = (ctx: Ctx<FilesHub>, id: string): Promise<FoundFile> =>
  findAccountFile(ctx.hub, id, ctx.account.id, onlyKeyOf(ctx.actor));

/** Returns a file like `findFile`; a null `accountId` or `keyId` stands for any. */
export async function findAccountFile(
  hub: FilesHub,
  id: string,
  accountId: number | null,
  keyId: string | null = null,
): Promise<FoundFile> {
  const rows = isId(id) ? await selectFile(hub.db, id, accountId, hub.now(), keyId) : [];
  return toFile(rows[0]);
}

function toFile<T extends FileRow & { expired: boolean }>(row: T | undefined): Omit<T, "expired"> {
  if (!row) throw new AppError("resource_not_found");
  const { expired, ...file } = row;
  if (expired) throw new AppError("file_expired");
  return file;
}

/**
 * Opens the content of a file, or a range of it. Throws a 410 `file_expired` when it was just removed, and
 * StorageUnavailable when the storage has content of another size.
 */
export async function openContent(hub: FilesHub, { id, size }: FileRow, range?: ByteRange): Promise<Readable> {
  const content = await hub.storage.open(id, range, Number(size));
  if (!content) throw new AppError("file_expired");
  return content;
}

const selectFile = statement({
  params: [uuid, nullable(int4), timestamptz, nullable(uuid)],
  row: { ...fileColumns, expired: bool, is_transient: bool },
  text: `
    SELECT ${fileSql}, ${expiredSql("$3")} AS expired,
           EXISTS (SELECT FROM generation WHERE id = f.generation_id AND keeps_nothing) AS is_transient
    FROM file f WHERE f.id = $1 AND f.stored_at IS NOT NULL AND ($2::int IS NULL OR f.account_id = $2)
      AND ${isFileOfKeySql("$4")}`,
});

/**
 * Returns the account's file with this SHA-256, the one that expires last. Throws a 404 `resource_not_found` when the
 * account never had it, and a 410 `file_expired` when it was removed. Files of other accounts are never found.
 */
export const findByHash = async (hub: FilesHub, accountId: number, sha256: string): Promise<FileRow> =>
  toFile((await selectByHash(hub.db, accountId, Buffer.from(sha256, "hex"), hub.now()))[0]);

// A UNION, because stored and removed files have separate partial indexes.
const selectByHash = statement({
  params: [int4, bytea, timestamptz],
  row: { ...fileColumns, expired: bool },
  text: `
    WITH stored AS (
      SELECT ${fileSql}, ${expiredSql("$3")} AS expired FROM file f
      WHERE f.account_id = $1 AND f.sha256 = $2 AND ${hasContentSql("f")}
      ORDER BY expires_at DESC LIMIT 1
    ),
    removed AS (
      SELECT ${fileSql}, true AS expired FROM file f
      WHERE f.account_id = $1 AND f.sha256 = $2 AND f.removed_at IS NOT NULL LIMIT 1
    )
    SELECT * FROM stored UNION ALL SELECT * FROM removed WHERE NOT EXISTS (SELECT FROM stored)`,
});
