import { statfs } from "node:fs/promises";
import { StorageUnavailable } from "./storage-unavailable";

/** What stays free of content, so that records can still be written and content be deleted. */
export const MIN_FREE_BYTES = 32 * 1024 * 1024;
const TRUST_MS = 1_000;

/** Returns what rejects with StorageAway while the disk of a folder is full; room that was found is trusted for a second. */
export function createRoomCheck(folder: string): () => Promise<void> {
  let foundAt = -Infinity;
  return async () => {
    if (performance.now() - foundAt < TRUST_MS) return;
    const { bavail, bfree, bsize } = await statfs(folder);
    // Some file systems keep a part for root.
    const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
    if (free < MIN_FREE_BYTES) throw new StorageUnavailable("The storage is full.");
    foundAt = performance.now();
  };
}
