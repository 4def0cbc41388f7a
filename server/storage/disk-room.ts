import { statfs } from "node:fs/promises";
import { StorageUnavailable } from "./storage-unavailable";

/** Space kept free of content, so that rows can still be written and content deleted. */
export const MIN_FREE_BYTES = 32 * 1024 * 1024;
const RECHECK_AFTER_MS = 1_000;

/** Returns a check that rejects with StorageUnavailable while a folder's disk is full; a success is cached for a second. */
export function createRoomCheck(folder: string): () => Promise<void> {
  let checkedAt = -Infinity;
  return async () => {
    if (performance.now() - checkedAt < RECHECK_AFTER_MS) return;
    const { bavail, bfree, bsize } = await statfs(folder);
    // Some file systems reserve blocks for root.
    const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
    if (free < MIN_FREE_BYTES) throw new StorageUnavailable("The storage is full.");
    checkedAt = performance.now();
  };
}
