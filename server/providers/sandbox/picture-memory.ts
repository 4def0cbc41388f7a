import sharp from "sharp";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../lib/concurrency-limit";

// Its cache would keep decoders, and with them whole decoded pictures, that no estimate counts.
sharp.cache(false);

/** Bytes that all pictures of this process take together while they are decoded and drawn, by their estimates. */
export const MAX_PICTURE_MEMORY_BYTES = 384 * 1024 ** 2;

/** Pictures whose encoded content is in memory at the same time, 20 MiB each at most. */
const MAX_OPEN_PICTURES = 12;

interface PictureLimits {
  memory: ConcurrencyLimit;
  open: ConcurrencyLimit;
}

const GLOBAL = Symbol.for("generation-hub pictures");
const shared = globalThis as { [GLOBAL]?: PictureLimits };

// A process holds this module twice, once in Next's graph, but has one memory.
const limits = (shared[GLOBAL] ??= {
  memory: createConcurrencyLimit(MAX_PICTURE_MEMORY_BYTES),
  open: createConcurrencyLimit(MAX_OPEN_PICTURES),
});

/** Runs work that takes about so many bytes once the process has room for them. Rejects with the signal's reason. */
export const withPictureMemory = <T>(bytes: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  limits.memory.run(work, signal, bytes);

/** Runs work that reads and decodes one picture. It may wait for memory within it, and never the other way round. */
export const withOpenPicture = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  limits.open.run(work, signal);
