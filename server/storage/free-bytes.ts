import { statfs } from "node:fs/promises";

/** Returns how many bytes this user can still write to the disk of a folder. */
export const measureFreeBytes = async (folder: string): Promise<number> => (await measureDisk(folder)).freeBytes;

/** Returns how many bytes the disk of a folder has, and how many of them this user can still write. */
export async function measureDisk(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, bfree, blocks, bsize } = await statfs(folder);
  // Some file systems reserve blocks for root.
  return { freeBytes: (process.getuid?.() === 0 ? bfree : bavail) * bsize, totalBytes: blocks * bsize };
}
