import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { nullIfMissing, syncFolder } from "../lib/folders";
import { readOrCreateFile } from "../lib/read-or-create-file";
import { StorageUnavailable } from "./storage";
import type { TombstoneLog } from "./tombstones";

const START = "begun-at";
const SUFFIX = ".jsonl";

/**
 * Returns a log of tombstones in a folder: each process appends to a file of its own for each month. Nothing is created
 * before it begins.
 */
export function openTombstoneFolder(folder: string): TombstoneLog {
  const processId = randomUUID();
  let hasBegun = false;
  const start = path.join(folder, START);
  return {
    async append(lines) {
      const month = new Date().toISOString().slice(0, 7);
      // The first line feed ends a line that a full disk has cut off.
      await appendDurably(path.join(folder, `${month}-${processId}${SUFFIX}`), `\n${lines}`).catch(rejectUnavailable);
    },
    async findStart() {
      const text = await readFile(start, "utf8").catch(nullIfMissing);
      return text === null ? null : new Date(text);
    },
    async begin(now) {
      if (hasBegun) return;
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rejectUnavailable);
      await readOrCreateFile(start, () => now.toISOString()).catch(rejectUnavailable);
      hasBegun = true;
    },
    async *read() {
      const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
      for (const name of names.filter((one) => one.endsWith(SUFFIX)).toSorted())
        yield* readLines(path.join(folder, name));
    },
  };
}

async function appendDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(path.dirname(file));
}

const PIECE_BYTES = 256 * 1024;

async function* readLines(file: string): AsyncIterable<string> {
  const handle = await open(file);
  let rest = "";
  for await (const piece of handle.createReadStream({ encoding: "utf8", highWaterMark: PIECE_BYTES })) {
    const text = rest + (piece as string);
    const end = text.lastIndexOf("\n") + 1;
    yield text.slice(0, end);
    rest = text.slice(end);
  }
  if (rest !== "") yield rest;
}

function rejectUnavailable(error: unknown): never {
  throw new StorageUnavailable("Tombstones cannot be written.", { cause: error });
}
