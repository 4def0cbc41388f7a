import { open } from "node:fs/promises";

/** Waits until new, renamed and removed entries of a folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns null for the error of a file or folder that does not exist; throws any other error. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
