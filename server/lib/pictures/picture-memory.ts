import { createConcurrencyLimit } from "../concurrency-limit";

/** Estimated memory of all pictures that this process decodes and draws at the same time. */
export const MAX_PICTURE_MEMORY_BYTES = 384 * 1024 ** 2;

/** Encoded pictures in memory at the same time, at most 20 MiB each. */
const MAX_OPEN_PICTURES = 12;

const memoryLimit = createConcurrencyLimit(MAX_PICTURE_MEMORY_BYTES);
const openLimit = createConcurrencyLimit(MAX_OPEN_PICTURES);

/** Runs work that needs about `bytes` of memory once the process has room for it. Rejects with the signal's reason. */
export const withPictureMemory = <T>(bytes: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  memoryLimit.run(work, signal, bytes);

/** Runs work that reads and decodes one picture. To avoid deadlocks, take this limit before `withPictureMemory`. */
export const withOpenPicture = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  openLimit.run(work, signal);
