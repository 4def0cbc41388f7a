import { readdir } from "node:fs/promises";

/** Returns the names of all files below a folder. */
export async function listFileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
