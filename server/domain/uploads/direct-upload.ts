import { type Ctx, onlyKeyOf } from "../../context";
import { bytea, int4, int8, int8Number, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId, newId } from "../../lib/id";
import type { DirectAccess } from "../../storage/storage";
import { chargeUploadSql } from "../accounts/sql";
import { cleanFileName } from "../content";
import type { UploadsHub } from "./hub";
import { overQuota } from "./store-upload";

const HOUR_S = 3_600;
/** How long a client may wait before it sends the content. */
const LINK_SECONDS = 6 * HOUR_S;
/** How much longer the content may take to arrive and be completed. */
const GRACE_SECONDS = HOUR_S;

export interface DirectUploadRequest {
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
  name?: string;
}

const columns = {
  id: uuid,
  account_id: int4,
  key_id: nullable(uuid),
  size: int8,
  sha256: notNull(bytea),
  name: nullable(text),
  file_id: nullable(uuid),
};

/** An upload that its client sends straight to the bucket. */
export type DirectUpload = RowOf<typeof columns>;

/**
 * Reserves an upload's size in the account's quota and returns the request by which the client sends its content to the
 * bucket, once and until `expires_at`. Throws a 404 without a bucket and a 413 when the quota does not cover the size.
 */
export async function createDirectUpload({ hub, account, actor }: Ctx<UploadsHub>, request: DirectUploadRequest) {
  const direct = requireDirect(hub);
  const { size, name } = request;
  const sha256 = Buffer.from(request.sha256, "hex");
  const id = newId();
  const now = hub.now();
  const linkEnds = new Date(now.getTime() + LINK_SECONDS * 1000);
  const ends = new Date(linkEnds.getTime() + GRACE_SECONDS * 1000);
  const cleaned = name === undefined ? null : cleanFileName(name);
  const quota = hub.env.UPLOAD_QUOTA_BYTES;
  const inserted = await insertUpload(
    hub.db,
    id,
    account.id,
    onlyKeyOf(actor),
    size,
    sha256,
    cleaned,
    now,
    ends,
    quota,
  );
  if (inserted.length === 0) throw overQuota(hub);
  const { url, headers } = await direct.signUpload(id, { size, sha256 }, LINK_SECONDS);
  return { id, method: "PUT" as const, url, headers, expires_at: linkEnds.toISOString() };
}

/**
 * Returns an upload of the account, or of the key if it sees only its own, that can be completed. Throws a 404 for a
 * missing one, another's and one that has expired.
 */
export async function findDirectUpload({ hub, account, actor }: Ctx<UploadsHub>, id: string): Promise<DirectUpload> {
  const [upload] = isId(id) ? await selectUpload(hub.db, id, account.id, onlyKeyOf(actor), hub.now()) : [];
  if (!upload) throw new AppError("resource_not_found", "There is no such upload, or it has expired.");
  return upload;
}

/** Returns the direct access of the storage. Throws a 404 if files are stored on the hub's disk. */
export function requireDirect({ storage: { direct } }: UploadsHub): DirectAccess {
  if (!direct)
    throw new AppError(
      "resource_not_found",
      "This hub stores files on its own disk. Upload them with POST /api/v1/hub/files.",
    );
  return direct;
}

const insertUpload = statement({
  params: [uuid, int4, nullable(uuid), int8Number, bytea, nullable(text), timestamptz, timestamptz, int8Number],
  row: { id: uuid },
  text: `
    WITH draft AS (SELECT $2::int AS account_id),
    ${chargeUploadSql({ size: "$4::bigint", quota: "$9" })}
    INSERT INTO direct_upload (id, account_id, key_id, size, sha256, name, created_at, expires_at)
    SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM counted
    RETURNING id`,
});

const selectUpload = statement({
  params: [uuid, int4, nullable(uuid), timestamptz],
  row: columns,
  text: `
    SELECT id, account_id, key_id, size, sha256, name, file_id FROM direct_upload
    WHERE id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR key_id = $3) AND expires_at > $4`,
});
