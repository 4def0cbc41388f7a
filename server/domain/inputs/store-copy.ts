import { isAppError } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { Stored } from "../../storage/storage";
import { fetchOutside, recordCopy } from "../input-files";
import { detectFileType } from "../content";
import { isStorageUnavailable } from "../../lib/is-unavailable";
import type { InputsHub } from "./hub";

const FETCH_TIMEOUT_MS = 60_000;

/**
 * Fetches an external URL into the storage, with the size limit and types of uploads. Throws InputUnavailable, retryable
 * when the storage failed. The content is removed again if the generation has ended meanwhile; when two runs write
 * the same copy, the row describes the later content.
 */
export async function storeCopy(hub: InputsHub, { id, url }: { id: string; url: string }): Promise<void> {
  let stored: Stored | undefined;
  let mediaType = "";
  const store = async (content: AsyncIterable<Uint8Array>) => {
    const { chunks, type } = detectFileType(content);
    stored = await hub.storage.put(id, chunks);
    mediaType = type();
  };
  const request = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: hub.env.UPLOAD_MAX_BYTES, store };
  await fetchOutside(hub, url, request).catch((error: unknown) => {
    throw toInputUnavailable(error);
  });
  const { size, sha256 } = stored!;
  const [copy] = await recordCopy(hub.db, id, size, sha256, mediaType, hub.now());
  if (!copy) await hub.storage.remove(id);
}

function toInputUnavailable(error: unknown): unknown {
  if (isStorageUnavailable(error)) return new InputUnavailable(error.message, true);
  if (!isAppError(error)) return error;
  const [reason] = error.extras.errors?.file ?? [error.message];
  return new InputUnavailable(`The content of an input ${reason}.`);
}
