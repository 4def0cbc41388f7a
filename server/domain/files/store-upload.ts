import type { Ctx, Hub } from "../../context";
import { AppError } from "../../errors";
import { newId } from "../../lib/id";
import { onFileStored } from "../supply/on-file-stored";
import { fileSql, type FileRow } from "./file";
import { detectFileType } from "./detect-file-type";

const HOUR_MS = 3_600_000;

/**
 * Stores an upload, makes it visible and starts what waited for it (specification, section 4.4): 400 for a type that is not taken, 413 once it is
 * too large or the account's uploads together are. Whatever breaks off leaves nothing: the row is reserved first, so
 * there is no content without a row, and what a crash leaves is swept.
 */
export async function storeUpload(ctx: Ctx, content: AsyncIterable<Uint8Array>): Promise<FileRow> {
  const id = newId();
  const expiresAt = new Date(ctx.now().getTime() + ctx.env.UPLOAD_TTL_HOURS * HOUR_MS);
  const reserved = await ctx.db.query(reserve, [id, ctx.account.id, ctx.now(), expiresAt, ctx.env.UPLOAD_QUOTA_BYTES]);
  if (reserved.length === 0) throw overQuota(ctx);
  const { chunks, type } = detectFileType(content);
  const stored = await ctx.storage.put(id, chunks, ctx.env.UPLOAD_MAX_BYTES).catch(async (error: unknown) => {
    await abandon(ctx, id);
    throw error;
  });
  const values = [id, stored.size, stored.sha256, type(), ctx.now(), ctx.env.UPLOAD_QUOTA_BYTES];
  const [file] = await ctx.db.query<FileRow>(publish, values);
  if (!file) throw (await abandon(ctx, id)) ? overQuota(ctx) : tooLate();
  await onFileStored(ctx.hub, ctx.account.id, stored.sha256);
  return file;
}

/**
 * The content first, and never after it may have become visible; what does not succeed here the sweep does. Answers
 * whether there was a row.
 */
async function abandon(hub: Hub, id: string): Promise<boolean> {
  try {
    await hub.storage.remove(id);
    const gone = await hub.db.query("DELETE FROM file WHERE id = $1 AND stored_at IS NULL RETURNING id", [id]);
    return gone.length > 0;
  } catch (error) {
    hub.log.warn({ err: error, file: id }, "upload not discarded");
    return true;
  }
}

const tooLate = () => new AppError("service_unavailable", "The upload took too long and was given up.");

const overQuota = ({ env }: Hub) =>
  new AppError(
    "payload_too_large",
    `The uploads of this account may have ${env.UPLOAD_QUOTA_BYTES.toLocaleString("en")} bytes together. Delete some, or wait until they expire.`,
  );

const reserve = `
  INSERT INTO file (id, account_id, media_type, created_at, expires_at)
  SELECT $1, id, '', $3, $4 FROM account WHERE id = $2 AND upload_bytes < $5
  RETURNING id`;

// Each upload takes its bytes from the quota under the account's lock, so that no two pass it together.
const publish = `
  WITH draft AS MATERIALIZED (SELECT id, account_id FROM file WHERE id = $1 AND stored_at IS NULL FOR UPDATE),
  counted AS (
    UPDATE account SET upload_bytes = upload_bytes + $2
    WHERE id = (SELECT account_id FROM draft) AND upload_bytes + $2 <= $6
    RETURNING id
  )
  UPDATE file f SET size = $2, sha256 = $3, media_type = $4, stored_at = $5 FROM draft, counted WHERE f.id = draft.id
  RETURNING ${fileSql}`;
