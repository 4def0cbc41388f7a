import { statfs } from "node:fs/promises";

/** Returns how many bytes this user can still write to the disk of a folder. */
export async function measureFreeBytes(folder: string): Promise<number> {
  const { bavail, bfree, bsize } = await statfs(folder);
  // Some file systems reserve blocks for root.
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}
