import { InputUnavailable } from "../../providers/input-unavailable";
import { finishGeneration } from "../generations/end";
import { claimCopy, type ClaimedCopy, createCopies, endClaim } from "../input-files";
import { markInputsReady } from "../generations/queue";
import type { InputsHub } from "./hub";
import { storeCopy } from "./store-copy";

/** The next action of the run. */
export type NextFetch = { next: "fetch" } | { next: "pause"; seconds: number } | { next: "end" };

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
