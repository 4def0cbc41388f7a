import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findText as findInColumns } from "../closures/find-text";
import type { TestHub } from "../hub";

/** Returns every column of the database, the engine's included, and every file of the hub that contains the text. */
export const findText = async (hub: TestHub, text: string): Promise<string[]> => [
  ...(await findInColumns(hub.db, text)),
  ...(await findInFiles(hub.folder, text)),
];

async function findInFiles(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map(async (file) => ({ file, content: await readFile(file) })));
  return contents.flatMap(({ file, content }) => (content.includes(text) ? [path.relative(folder, file)] : []));
}
