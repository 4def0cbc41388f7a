import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import { fetchOutside } from "../files/fetch-outside";
import { detectFileType } from "../files/detect-file-type";
import { isStorageUnavailable } from "../health/is-storage-unavailable";
import type { Stored } from "../../storage/storage";

const FETCH_MS = 60_000;

/**
 * Fetches an outside address into the storage, within the bounds of an upload and of its types. Throws InputUnavailable,
 * which may pass when the storage is to blame. What was written for a generation that has ended meanwhile is removed;
 * of two that wrote the same copy, the row describes the content of the later one.
 */
export async function storeCopy(hub: Hub, { id, url }: { id: string; url: string }): Promise<void> {
  let stored: Stored | undefined;
  let mediaType = "";
  const store = async (content: AsyncIterable<Uint8Array>) => {
    const { chunks, type } = detectFileType(content);
    stored = await hub.storage.put(id, chunks);
    mediaType = type();
  };
  const request = { timeoutMs: FETCH_MS, maxBytes: hub.env.UPLOAD_MAX_BYTES, store };
  await fetchOutside(hub, url, request).catch((error: unknown) => {
    throw toInputUnavailable(error);
  });
  const { size, sha256 } = stored!;
  const [copy] = await hub.db.query(recordSql, [id, size, sha256, mediaType, hub.now()]);
  if (!copy) await hub.storage.remove(id);
}

function toInputUnavailable(error: unknown): unknown {
  if (isStorageUnavailable(error)) return new InputUnavailable(error.message, true);
  if (!isAppError(error)) return error;
  const [said] = error.extras.errors?.file ?? [error.message];
  return new InputUnavailable(`The content of an input ${said}.`);
}

const recordSql = `
  UPDATE input_copy SET size = $2, sha256 = $3, media_type = $4, stored_at = $5 WHERE id = $1
  RETURNING id`;
