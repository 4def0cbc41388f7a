import type { Hub } from "../../context";
import { newId } from "../../lib/id";
import type { ProviderOutput } from "../../providers/provider";

const DAY_MS = 86_400_000;
const MAX_BYTES = 1024 ** 3;

/** Whose output it is, and which one. */
export interface OutputTarget {
  generationId: string;
  accountId: number;
  index: number;
  /** Of the lease under which a worker made it. */
  fence?: number;
}

/**
 * Stores one output of a generation; it becomes visible when the generation succeeds. May be repeated after a crash
 * at any point: the row is reserved first, so there is no content without a row, and a repetition overwrites both.
 * An output that is visible already stays as it is. Answers its bytes, or null when it came too late; one of more than a
 * gibibyte is `payload_too_large`.
 */
export async function storeOutput(
  hub: Hub,
  place: OutputTarget,
  { mediaType, content }: ProviderOutput,
): Promise<number | null> {
  const now = hub.now();
  const expiresAt = new Date(now.getTime() + hub.env.OUTPUT_TTL_DAYS * DAY_MS);
  const { accountId, generationId, index, fence = 0 } = place;
  const values = [newId(), accountId, generationId, index, mediaType, now, expiresAt, fence];
  const [row] = await hub.db.query<{ id: string }>(reserve, values);
  if (!row) return null;
  const { size, sha256 } = await hub.storage.put(row.id, content, MAX_BYTES);
  const recorded = await hub.db.query(record, [row.id, size, sha256]);
  if (recorded.length > 0) return size;
  // The generation ended long ago, and the row was discarded while this was written.
  const kept = await hub.db.query("SELECT FROM file WHERE id = $1", [row.id]);
  if (kept.length === 0) await hub.storage.remove(row.id);
  return null;
}

// A new created_at keeps the row from being discarded while it is written.
const reserve = `
  INSERT INTO file (id, account_id, generation_id, index, media_type, created_at, expires_at, fence)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (generation_id, fence, index) DO UPDATE
    SET media_type = EXCLUDED.media_type, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
    WHERE file.stored_at IS NULL
  RETURNING id`;

const record = "UPDATE file SET size = $2, sha256 = $3 WHERE id = $1 AND stored_at IS NULL RETURNING id";
