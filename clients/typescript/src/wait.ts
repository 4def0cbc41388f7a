import { GenerationFailedError, WaitTimeoutError } from "./errors.js";
import { delay } from "./http.js";
import type { Batch, Generation, Status } from "./types.js";

export interface WaitOptions {
  /** Called with the generation now and at each change of its status, progress or missing files. */
  onProgress?: (generation: Generation) => void;
  /** Ends the wait; the generation goes on. `cancel()` stops it. */
  signal?: AbortSignal;
  /** The longest wait. Without one, the wait ends with the generation, which the hub bounds itself. */
  timeoutMs?: number;
  headers?: Record<string, string>;
}

export interface BatchWaitOptions extends Omit<WaitOptions, "onProgress"> {
  /** Called with the batch now and at each change of its counts. */
  onProgress?: (batch: Batch) => void;
}

interface Reader {
  get(id: string, options: { signal?: AbortSignal; headers?: Record<string, string> }): Promise<Generation>;
}

/** How long the response to a create may wait for the end. Slower models are polled, so that a lost connection costs little. */
const MAX_FIRST_WAIT_S = 10;

/** Returns options with which a create waits for the end of a short generation, which saves every poll. */
export function preferWait<O extends WaitOptions>(options: O, attemptMs: number): O {
  const limitMs = Math.min(options.timeoutMs ?? Infinity, attemptMs);
  const seconds = Math.min(MAX_FIRST_WAIT_S, Math.floor(limitMs / 2_000));
  // Progress is shown from the first response on.
  if (options.onProgress || seconds < 1) return options;
  return { ...options, headers: { ...options.headers, Prefer: `wait=${seconds}` } };
}

const FIRST_INTERVAL_MS = 250;
const MAX_INTERVAL_MS = 5_000;
const INTERVAL_GROWTH = 1.5;

const FINAL: ReadonlySet<Status> = new Set<Status>(["succeeded", "failed", "canceled"]);

/** Returns the generation when it has succeeded. Throws GenerationFailedError or WaitTimeoutError. */
export async function waitForGeneration(hub: Reader, first: Generation, options: WaitOptions): Promise<Generation> {
  let latest = first;
  for await (const generation of watchGeneration(hub, first, options)) latest = generation;
  return latest;
}

/**
 * Yields a generation at each change, until it has succeeded. The interval grows from 0.25 to 5 seconds; when the hub
 * limits requests, its `Retry-After` decides.
 */
export async function* watchGeneration(
  hub: Reader,
  first: Generation,
  options: WaitOptions,
): AsyncGenerator<Generation, void, undefined> {
  const { onProgress, signal, timeoutMs, headers } = options;
  const endsAt = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
  let generation = first;
  let shown = "";
  for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs = Math.min(intervalMs * INTERVAL_GROWTH, MAX_INTERVAL_MS)) {
    const state = JSON.stringify([generation.status, generation.progress, generation.missing]);
    if (state !== shown) {
      onProgress?.(generation);
      if (generation.status === "failed" || generation.status === "canceled")
        throw new GenerationFailedError(generation);
      yield generation;
    }
    shown = state;
    if (FINAL.has(generation.status)) return;
    const leftMs = endsAt - Date.now();
    if (leftMs <= 0) throw new WaitTimeoutError(`The generation did not end within ${timeoutMs} ms`, generation);
    await delay(Math.min(intervalMs, leftMs), signal);
    generation = await hub.get(generation.id, { signal, headers });
  }
}

/** Returns a batch once all of its generations have ended, polled as a generation is. Throws WaitTimeoutError. */
export async function waitForBatch(
  hub: { getBatch(id: string, options: Pick<WaitOptions, "signal" | "headers">): Promise<Batch> },
  first: Batch,
  { onProgress, signal, timeoutMs, headers }: BatchWaitOptions,
): Promise<Batch> {
  const endsAt = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
  let batch = first;
  let shown = "";
  for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs = Math.min(intervalMs * INTERVAL_GROWTH, MAX_INTERVAL_MS)) {
    const state = JSON.stringify(batch.counts);
    if (state !== shown) onProgress?.(batch);
    shown = state;
    if (batch.completed_at !== null) return batch;
    const leftMs = endsAt - Date.now();
    if (leftMs <= 0) throw new WaitTimeoutError(`The batch did not end within ${timeoutMs} ms`);
    await delay(Math.min(intervalMs, leftMs), signal);
    batch = await hub.getBatch(batch.id, { signal, headers });
  }
}
