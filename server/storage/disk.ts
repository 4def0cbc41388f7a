import { randomUUID } from "node:crypto";
import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { nullIfMissing, syncFolder } from "../lib/folders";
import { checkKey, ID_LENGTH, type Storage, type Stored, StorageUnavailable } from "./storage";
import { measureFreeBytes } from "./free-bytes";
import { meterContent } from "./meter";
import { incompleteContent } from "./read-exactly";

/**
 * Opens a storage on the local disk: content in `ab/cd/<key>`, unfinished content in `incoming/`. Content survives a power
 * loss once `put` has resolved. Rejects when the folder cannot be created.
 */
export async function openDiskStorage(folder: string): Promise<Storage> {
  const root = path.resolve(folder);
  const incoming = path.join(root, "incoming");
  await mkdir(incoming, { recursive: true });
  const checkRoom = createRoomCheck(incoming);

  return {
    direct: null,

    async put(key, content, limit = Infinity) {
      await checkRoom();
      const target = contentPath(root, key);
      const tempFile = path.join(incoming, `${key}.${randomUUID()}`);
      try {
        const stored = await writeContent(tempFile, content, limit);
        await publishContent(root, tempFile, target);
        return stored;
      } catch (error) {
        await rm(tempFile, { force: true });
        throw isDiskFull(error) ? new StorageUnavailable("The storage is full.", { cause: error }) : error;
      }
    },

    async open(key, range, size) {
      const handle = await open(contentPath(root, key)).catch(nullIfMissing);
      if (!handle) return null;
      const { size: found } = await handle.stat();
      if (found >= (range ? range.end + 1 : 0) && (size ?? found) === found) return handle.createReadStream(range);
      await handle.close();
      throw incompleteContent();
    },

    async describe(key) {
      const entry = await stat(contentPath(root, key)).catch(nullIfMissing);
      return entry && { size: entry.size, sha256: null };
    },

    async remove(key) {
      await rm(contentPath(root, key), { force: true });
    },

    async sweep(before) {
      for (const name of await readdir(incoming)) {
        const tempFile = path.join(incoming, name);
        const entry = await stat(tempFile).catch(nullIfMissing);
        if (entry && entry.mtime < before) await rm(tempFile, { force: true });
      }
    },

    checkRoom,

    check: () => access(incoming, constants.R_OK | constants.W_OK),
  };
}

async function writeContent(tempFile: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<Stored> {
  const { chunks, stored } = meterContent(content, limit);
  const file = await open(tempFile, "wx");
  try {
    await writeFile(file, chunks);
    await file.sync();
  } finally {
    await file.close();
  }
  return stored();
}

// A rename is durable once its folder is synced, and a new folder once its parent is.
async function publishContent(root: string, tempFile: string, target: string) {
  const folder = path.dirname(target);
  const created = await mkdir(folder, { recursive: true });
  await rename(tempFile, target);
  await syncFolder(folder);
  if (created) {
    await syncFolder(path.dirname(folder));
    await syncFolder(root);
  }
}

const isDiskFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/**
 * Returns the path of a key's content, below two folders named by the id's last digits: those are random, while the
 * first ones are the time.
 */
function contentPath(root: string, key: string): string {
  const name = checkKey(key);
  const id = name.slice(0, ID_LENGTH);
  return path.join(root, id.slice(-2), id.slice(-4, -2), name);
}

/** Space kept free of content, so that rows can still be written and content deleted. */
export const MIN_FREE_BYTES = 32 * 1024 * 1024;
const RECHECK_AFTER_MS = 1_000;

/** Returns a check that rejects with StorageUnavailable while a folder's disk is full; a success is cached for a second. */
function createRoomCheck(folder: string): () => Promise<void> {
  let checkedAt = -Infinity;
  return async () => {
    if (performance.now() - checkedAt < RECHECK_AFTER_MS) return;
    if ((await measureFreeBytes(folder)) < MIN_FREE_BYTES) throw new StorageUnavailable("The storage is full.");
    checkedAt = performance.now();
  };
}
