import { newId } from "../../lib/id";
import { readTail, TAIL_BYTES } from "../../lib/zip/zip-directory";
import { createZipWriter, type ZipWriter } from "../../lib/zip/zip-writer";
import { EXPORT_TTL_MS } from "./export";
import { joinDirectories } from "./join-directories";
import { appendPart, insertPart, leaseLostError } from "./lease";
import type { ListStep } from "./lists";
import type { Position } from "./position";
import type { Run } from "./run";
import { writeContents } from "./write-contents";
import { writeList } from "./write-list";
import { writeReadme } from "./write-readme";

// The directory of a part is held in memory.
const MAX_ENTRIES = 1_000;

/**
 * Writes the next part of an archive to the storage and appends it: until it has `maxBytes` or 1,000 entries. A file is never
 * divided. Returns the position after it; null at the end.
 */
export async function writePart(run: Run, position: Position, maxBytes: number): Promise<Position | null> {
  run.signal.throwIfAborted();
  run.missing = [];
  return position.step === "directory" ? writeDirectory(run) : writeEntries(run, position, maxBytes);
}

/** Writes a part with entries: a complete archive, whose directory is later moved to the end of the whole archive. */
async function writeEntries(run: Run, position: Position, maxBytes: number): Promise<Position> {
  const zip = createZipWriter();
  const meter = createMeter();
  const abort = () => zip.destroy(run.signal.reason as Error);
  run.signal.addEventListener("abort", abort, { once: true });
  const filled = fill(run, zip, position, () => meter.bytes() >= maxBytes || zip.count() >= MAX_ENTRIES);
  filled.catch(zip.destroy);
  const stored = storeAndAppend(run, meter.pass(zip.content), async () => {
    const { entries, contentBytes } = readTail(meter.tail());
    return { entries, size: contentBytes, storedSize: meter.bytes(), position: await filled };
  });
  stored.catch(zip.destroy);
  try {
    // Whichever fails first says why.
    const [next] = await Promise.all([filled, stored]);
    return next;
  } finally {
    await Promise.allSettled([filled, stored]);
    run.signal.removeEventListener("abort", abort);
  }
}

// The files that are missing are listed from the parts that are stored, so their list begins a new part.
const endsPart = ({ step }: Position) => step === "missing-files" || step === "directory";

async function fill(run: Run, zip: ZipWriter, start: Position, isFull: () => boolean): Promise<Position> {
  let position = start;
  do {
    run.signal.throwIfAborted();
    if (position.step === "contents") position = await writeContents(run, zip, position, isFull);
    else if (position.step === "readme") position = await writeReadme(run, zip);
    else position = await writeList(run, zip, position as Position & { step: ListStep });
  } while (!isFull() && !endsPart(position));
  zip.end();
  return position;
}

/** Writes the directory of all parts, which ends the archive. */
async function writeDirectory(run: Run): Promise<null> {
  const meter = createMeter();
  await storeAndAppend(run, meter.pass(joinDirectories(run)), () =>
    Promise.resolve({ entries: 0, size: meter.bytes(), storedSize: meter.bytes(), position: null }),
  );
  return null;
}

interface Written {
  entries: number;
  size: number;
  storedSize: number;
  /** Null at the end of the archive. */
  position: Position | null;
}

/** Stores a part and appends it to the archive. What is stored after another process has taken over is removed. */
async function storeAndAppend(
  run: Run,
  content: AsyncIterable<Uint8Array>,
  describe: () => Promise<Written>,
): Promise<void> {
  const { hub, task } = run;
  const key = newId();
  const [inserted] = await insertPart(hub.db, key, task.id, task.lease);
  if (!inserted) throw leaseLostError();
  await hub.storage.put(key, content);
  const { entries, size, storedSize, position } = await describe();
  const ends = position === null ? hub.now() : null;
  const [appended] = await appendPart(hub.db, {
    key,
    id: task.id,
    lease: task.lease,
    size: BigInt(size),
    stored_size: BigInt(storedSize),
    entries: BigInt(entries),
    missing: JSON.stringify(run.missing),
    done: BigInt(run.done),
    position: position ?? { step: "directory", after: null, file: 1 },
    ends,
    expires: ends && new Date(ends.getTime() + EXPORT_TTL_MS),
  });
  if (appended) return;
  await hub.storage.remove(key);
  throw leaseLostError();
}

/** Counts the bytes that pass through, and keeps the last ones. */
function createMeter() {
  let bytes = 0;
  let tail = Buffer.alloc(0);
  return {
    bytes: () => bytes,
    tail: () => tail,
    async *pass(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        bytes += chunk.length;
        tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
        yield chunk;
      }
    },
  };
}
