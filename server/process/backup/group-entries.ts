import type { Entry } from "./archive";

export interface EntryGroup {
  /** The folder of its parts, such as `database/public.account`; empty for entries in no folder. */
  folder: string;
  /** The content of its parts, in order. It must be read before the next group. */
  parts: AsyncIterable<Buffer>;
}

/** Yields the entries of a backup grouped by folder. The unread rest of a group is skipped. */
export async function* groupEntries(entries: AsyncGenerator<Entry>): AsyncGenerator<EntryGroup> {
  let current = await entries.next();
  while (!current.done) {
    const folder = folderOf(current.value.name);
    const readParts = async function* () {
      while (!current.done && folderOf(current.value.name) === folder) {
        yield current.value.content;
        current = await entries.next();
      }
    };
    const parts = readParts();
    yield { folder, parts };
    for await (const part of readParts()) void part;
  }
}

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf("/")));
