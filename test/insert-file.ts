import { createHash } from "node:crypto";
import type { Hub } from "../server/domain/hub";
import { newId } from "../server/lib/id";

export const hashOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/**
 * Inserts a visible file of an account and returns its id. Unlike an upload it does not queue the generations that wait
 * for its content.
 */
export async function insertFile(
  hub: Hub,
  account: number,
  content: string | Uint8Array,
  { mediaType = "image/png", hours = 24 } = {},
): Promise<string> {
  const id = newId();
  const now = hub.now();
  await hub.storage.put(id, yieldOnce(Buffer.from(content)));
  await hub.db.query(
    `WITH counted AS (UPDATE account SET upload_bytes = upload_bytes + $4 WHERE id = $2)
     INSERT INTO file (id, account_id, media_type, size, sha256, created_at, stored_at, expires_at)
     VALUES ($1, $2, $3, $4, decode($5, 'hex'), $6, $6, $7)`,
    [id, account, mediaType, content.length, hashOf(content), now, new Date(now.getTime() + hours * 3_600_000)],
  );
  return id;
}

async function* yieldOnce(content: Uint8Array) {
  yield content;
}
