import { isAppError } from "../../errors";
import { isStorageUnavailable } from "../../lib/is-unavailable";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { Stored } from "../../storage/storage";
import { detectFileType } from "../content";
import { finishGeneration } from "../generations/end";
import { markInputsReady } from "../generations/queue";
import { claimCopy, type ClaimedCopy, createCopies, endClaim, fetchOutside, recordCopy } from "../input-files";
import type { InputsHub } from "./hub";

/** The next action of the run. */
type NextFetch = { next: "fetch" } | { next: "pause"; seconds: number } | { next: "end" };

/** Longer than the timeout of a fetch. */
const CLAIM_MS = 120_000;
const PAUSE_SECONDS = [1, 5, 20];
const MAX_ATTEMPTS = PAUSE_SECONDS.length + 1;

/**
 * Fetches one missing external input of a queued generation, or marks the generation as ready for workers when none is
 * missing. An unavailable input fails the generation before it starts, so its hold is released. Safe to retry after a
 * crash and to run concurrently: each copy is claimed by one run.
 */
export async function fetchNextInput(hub: InputsHub, id: string): Promise<NextFetch> {
  const now = hub.now();
  const waiting = await createCopies(hub.db, id, now);
  if (waiting.length === 0) return { next: "end" };
  const [copy] = await claimCopy(hub.db, id, now, new Date(now.getTime() + CLAIM_MS));
  if (!copy) {
    await markInputsReady(hub.db, id, now);
    return { next: "end" };
  }
  try {
    await storeCopy(hub, copy);
    return { next: "fetch" };
  } catch (error) {
    if (!(error instanceof InputUnavailable)) throw error;
    return onUnavailable(hub, id, copy, error);
  }
}

async function onUnavailable(
  hub: InputsHub,
  id: string,
  { id: copyId, attempts }: ClaimedCopy,
  { message, retryable }: InputUnavailable,
): Promise<NextFetch> {
  if (retryable && attempts < MAX_ATTEMPTS) {
    await endClaim(hub.db, copyId);
    return { next: "pause", seconds: PAUSE_SECONDS[attempts - 1]! };
  }
  const error = { code: "input_unavailable", message, retryable } as const;
  await finishGeneration(hub, { id, from: ["queued"], to: "failed", error });
  return { next: "end" };
}

const FETCH_TIMEOUT_MS = 60_000;

/**
 * Fetches an external URL into the storage, with the size limit and types of uploads. Throws InputUnavailable, retryable
 * when the storage failed. The content is removed again if the generation has ended meanwhile; when two runs write
 * the same copy, the row describes the later content.
 */
async function storeCopy(hub: InputsHub, { id, url }: { id: string; url: string }): Promise<void> {
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
