import { createHash } from "node:crypto";
import type { Ctx } from "../../context";
import { int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput, isAppError } from "../../errors";
import { newId } from "../../lib/id";
import type { DirectAccess } from "../../storage/storage";
import { detectFileType } from "../content";
import { fileColumns, fileSql } from "../files/sql";
import { type FileRow, findFile } from "../files";
import { type DirectUpload, findDirectUpload, requireDirect } from "./direct-upload";
import type { UploadsHub } from "./hub";
import { discardUpload, uploadTimedOut } from "./store-upload";

const HOUR_MS = 3_600_000;

/**
 * Turns the content that a client has sent to the bucket into a file, and returns it; repeated calls return the same file.
 * The content is copied to a key for which no client ever had a link, and is checked there. Throws a 404 for an unknown or
 * expired upload, a 409 before the content has arrived, and a 400 for content of another size or hash or of an unsupported
 * type. A rejected upload stays open, and its size reserved, until it expires, because its link can store content until
 * then.
 */
export async function completeDirectUpload(ctx: Ctx<UploadsHub>, id: string): Promise<FileRow> {
  const direct = requireDirect(ctx.hub);
  const upload = await findDirectUpload(ctx, id);
  if (upload.file_id !== null) return findFile(ctx, upload.file_id);
  try {
    return await publishCopy(ctx.hub, direct, upload);
  } catch (error) {
    // Another request may have completed it meanwhile, and removed what was staged.
    const { file_id: fileId } = await findDirectUpload(ctx, id);
    if (fileId !== null) return findFile(ctx, fileId);
    // Rejected content is removed immediately; if that fails, when the upload expires.
    if (isAppError(error) && error.code === "invalid_input")
      await direct.removeStaged(upload.id).catch(() => undefined);
    throw error;
  }
}

async function publishCopy(hub: UploadsHub, direct: DirectAccess, upload: DirectUpload): Promise<FileRow> {
  const arrived = await direct.measureStaged(upload.id);
  if (arrived === null)
    throw new AppError("invalid_state", "The content has not arrived yet. Send it to the upload's url first.");
  if (BigInt(arrived) !== upload.size) throw invalidInput("size", `is ${upload.size}, but ${arrived} bytes were sent`);
  const fileId = newId();
  const now = hub.now();
  const expiresAt = new Date(now.getTime() + hub.env.UPLOAD_TTL_HOURS * HOUR_MS);
  // The row comes before the content, so that the sweep finds what a crash leaves.
  await insertDraft(hub.db, fileId, upload.account_id, upload.key_id, now, expiresAt);
  try {
    await direct.publish(upload.id, fileId);
    const type = await checkContent(hub, fileId, upload);
    const [file] = await publishFile(hub.db, upload.id, fileId, type, hub.now());
    if (!file) throw uploadTimedOut();
    // What cannot be removed now is removed when the upload expires.
    await direct.removeStaged(upload.id).catch(() => undefined);
    return file;
  } catch (error) {
    await discardUpload(hub, fileId);
    throw error;
  }
}

/** Returns the media type of content whose size and hash are those of its upload. Throws a 400 for any other. */
async function checkContent(hub: UploadsHub, key: string, upload: DirectUpload): Promise<string> {
  const [stored, content] = [await hub.storage.describe(key), await hub.storage.open(key)];
  if (!stored || !content) throw uploadTimedOut();
  const hash = stored.sha256 ? null : createHash("sha256");
  const { chunks, isKnown, type } = detectFileType(content);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    hash?.update(chunk);
    if (!hash && isKnown()) break;
  }
  content.destroy();
  const sha256 = stored.sha256 ?? hash!.digest();
  if (!sha256.equals(upload.sha256)) throw invalidInput("sha256", "is not the hash of what was sent");
  if (BigInt(hash ? size : stored.size) !== upload.size) throw invalidInput("size", "is not that of what was sent");
  return type();
}

const insertDraft = statement({
  params: [uuid, int4, nullable(uuid), timestamptz, timestamptz],
  row: {},
  text: `
    INSERT INTO file (id, account_id, media_type, key_id, created_at, expires_at) VALUES ($1, $2, '', $3, $4, $5)`,
});

const publishFile = statement({
  params: [uuid, uuid, text, timestamptz],
  row: fileColumns,
  text: `
    WITH draft AS MATERIALIZED (SELECT id FROM file WHERE id = $2 AND stored_at IS NULL FOR UPDATE),
    completed AS (
      UPDATE direct_upload u SET file_id = draft.id FROM draft
      WHERE u.id = $1 AND u.file_id IS NULL AND u.expires_at > $4 RETURNING u.size, u.sha256, u.name
    )
    UPDATE file f SET size = completed.size, sha256 = completed.sha256, name = completed.name, media_type = $3, stored_at = $4
    FROM completed WHERE f.id = $2
    RETURNING ${fileSql}`,
});
