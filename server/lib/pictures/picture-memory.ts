import sharp from "sharp";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../concurrency-limit";

// The cache of sharp would keep decoded pictures in memory that no estimate accounts for.
sharp.cache(false);

/** Estimated memory of all pictures that this process decodes and draws at the same time. */
export const MAX_PICTURE_MEMORY_BYTES = 384 * 1024 ** 2;

/** Encoded pictures in memory at the same time, at most 20 MiB each. */
const MAX_OPEN_PICTURES = 12;

interface PictureLimits {
  memory: ConcurrencyLimit;
  open: ConcurrencyLimit;
}

const GLOBAL_KEY = Symbol.for("generation-hub pictures");
const globalScope = globalThis as { [GLOBAL_KEY]?: PictureLimits };

// Next bundles a second copy of this module into the process, so the limits are kept in a global.
const limits = (globalScope[GLOBAL_KEY] ??= {
  memory: createConcurrencyLimit(MAX_PICTURE_MEMORY_BYTES),
  open: createConcurrencyLimit(MAX_OPEN_PICTURES),
});

/** Runs work that needs about `bytes` of memory once the process has room for it. Rejects with the signal's reason. */
export const withPictureMemory = <T>(bytes: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  limits.memory.run(work, signal, bytes);

/** Runs work that reads and decodes one picture. To avoid deadlocks, take this limit before `withPictureMemory`. */
export const withOpenPicture = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  limits.open.run(work, signal);
