import { buffer } from "node:stream/consumers";
import { moveDirectory, readTail, TAIL_BYTES, writeTail } from "../../lib/zip/zip-directory";
import { listParts, type Part } from "./export";
import { ExportFailed, type Run } from "./run";

/** Yields the directory of a whole archive: those of its parts, one after the other, and the records that end it. */
export async function* joinDirectories({ hub, task, signal }: Run): AsyncGenerator<Buffer> {
  const shape = { entries: 0, contentBytes: 0, directoryBytes: 0 };
  let tail = Buffer.alloc(TAIL_BYTES);
  for (let parts = await listParts(hub.db, task.id, 0n); parts.length > 0;) {
    for (const part of parts) {
      signal.throwIfAborted();
      const end = await readEnd(hub, part);
      tail = end.subarray(-TAIL_BYTES);
      const directory = moveDirectory(end.subarray(0, -TAIL_BYTES), Number(part.start));
      shape.entries += readTail(tail).entries;
      shape.contentBytes = Number(part.start + part.size);
      shape.directoryBytes += directory.length;
      yield directory;
    }
    parts = await listParts(hub.db, task.id, BigInt(shape.contentBytes));
  }
  yield writeTail(tail, shape);
}

/** Returns what follows a part's contents: the directory of its entries, and the end of an archive. */
async function readEnd({ storage }: Run["hub"], { key, size, stored_size }: Part): Promise<Buffer<ArrayBuffer>> {
  const content = await storage.open(key, { start: Number(size), end: Number(stored_size) - 1 });
  if (!content) throw new ExportFailed("Parts of the export are gone from the storage. Start another export.");
  return buffer(content);
}
