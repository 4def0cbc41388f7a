import { type Ctx, onlyKeyOf } from "../../context";
import { bytea, int4, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { newId } from "../../lib/id";
import { chargeUploadSql } from "../accounts/sql";
import { fileColumns, fileSql } from "../files/sql";
import type { FileRow } from "../files";
import { cleanFileName, detectFileType } from "../content";
import type { UploadsHub } from "./hub";
import { sizeFirst } from "./size-first";

const HOUR_MS = 3_600_000;

/**
 * Stores an upload and makes it visible (specification, section 4.4). `readName` returns the name that the client sent, once
 * the content has been read. Throws a 413 when the file, whatever it is, or the account's uploads together are too large, and
 * a 400 for an unsupported type. A failed upload leaves nothing behind: the row is inserted before the content, so there is no
 * content without a row, and the sweep removes what a crash leaves.
 */
export async function storeUpload(
  { hub, account, actor }: Ctx<UploadsHub>,
  content: AsyncIterable<Uint8Array>,
  readName?: () => string,
): Promise<FileRow> {
  const id = newId();
  const expiresAt = new Date(hub.now().getTime() + hub.env.UPLOAD_TTL_HOURS * HOUR_MS);
  const { UPLOAD_QUOTA_BYTES: quota, UPLOAD_MAX_BYTES: limit } = hub.env;
  const reserved = await reserveUpload(hub.db, id, account.id, hub.now(), expiresAt, quota, onlyKeyOf(actor));
  if (reserved.length === 0) throw overQuota(hub);
  const sized = sizeFirst(content, limit);
  const { chunks, type } = detectFileType(sized.content);
  const { size, sha256 } = await hub.storage.put(id, sized.checked(chunks), limit).catch(async (error: unknown) => {
    await discardUpload(hub, id);
    throw error;
  });
  const name = readName ? cleanFileName(readName()) : null;
  const [file] = await publishUpload(hub.db, id, size, sha256, type(), hub.now(), quota, name);
  if (!file) throw (await discardUpload(hub, id)) ? overQuota(hub) : uploadTimedOut();
  return file;
}

/**
 * Removes the content, then the row, of an upload that never became visible. Returns whether there was a row; also true
 * after a failure, which the sweep retries.
 */
export async function discardUpload(hub: UploadsHub, id: string): Promise<boolean> {
  try {
    await hub.storage.remove(id);
    return (await deleteUnfinished(hub.db, id)).length > 0;
  } catch (error) {
    hub.log.warn({ err: error, file: id }, "upload not discarded");
    return true;
  }
}

/** Returns the error of an upload whose row was removed meanwhile. */
export const uploadTimedOut = () => new AppError("service_unavailable", "The upload took too long and was discarded.");

/** Returns the error of an upload that the account's quota does not cover. */
export const overQuota = ({ env }: UploadsHub) =>
  new AppError(
    "payload_too_large",
    `This account's uploads may have at most ${env.UPLOAD_QUOTA_BYTES.toLocaleString("en")} bytes in total. Delete some, or wait until they expire.`,
  );

const reserveUpload = statement({
  params: [uuid, int4, timestamptz, timestamptz, int8Number, nullable(uuid)],
  row: { id: uuid },
  text: `
    INSERT INTO file (id, account_id, media_type, created_at, expires_at, key_id)
    SELECT $1, id, '', $3, $4, $6 FROM account WHERE id = $2 AND upload_bytes < $5
    RETURNING id`,
});

const deleteUnfinished = statement({
  params: [uuid],
  row: { id: uuid },
  text: "DELETE FROM file WHERE id = $1 AND stored_at IS NULL RETURNING id",
});

const publishUpload = statement({
  params: [uuid, int8Number, bytea, text, timestamptz, int8Number, nullable(text)],
  row: fileColumns,
  text: `
    WITH draft AS MATERIALIZED (SELECT id, account_id FROM file WHERE id = $1 AND stored_at IS NULL FOR UPDATE),
    ${chargeUploadSql({ size: "$2", quota: "$6" })}
    UPDATE file f SET size = $2, sha256 = $3, media_type = $4, stored_at = $5, name = $7
    FROM draft, counted WHERE f.id = draft.id
    RETURNING ${fileSql}`,
});
