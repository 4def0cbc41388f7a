import { randomUUID } from "node:crypto";
import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { contentPath } from "./content-path";
import { createRoomCheck } from "./disk-room";
import { meterContent } from "./meter";
import type { Storage, Stored } from "./storage";
import { StorageUnavailable } from "./storage-unavailable";

/**
 * Content on the local disk: `ab/cd/<key>`, and unfinished content in `incoming/`. What `put` has answered survives
 * a loss of power. Rejects when the folder cannot be made.
 */
export async function openDiskStorage(folder: string): Promise<Storage> {
  const root = path.resolve(folder);
  const incoming = path.join(root, "incoming");
  await mkdir(incoming, { recursive: true });
  const checkRoom = createRoomCheck(incoming);

  return {
    async put(key, content, limit = Infinity) {
      await checkRoom();
      const target = contentPath(root, key);
      const draft = path.join(incoming, `${key}.${randomUUID()}`);
      try {
        const stored = await write(draft, content, limit);
        await moveInto(root, draft, target);
        return stored;
      } catch (error) {
        await rm(draft, { force: true });
        throw isFull(error) ? new StorageUnavailable("The storage is full.", { cause: error }) : error;
      }
    },

    async open(key, range) {
      const handle = await open(contentPath(root, key)).catch(nullIfMissing);
      return handle?.createReadStream(range) ?? null;
    },

    async remove(key) {
      await rm(contentPath(root, key), { force: true });
    },

    async sweep(before) {
      for (const name of await readdir(incoming)) {
        const draft = path.join(incoming, name);
        const entry = await stat(draft).catch(nullIfMissing);
        if (entry && entry.mtime < before) await rm(draft, { force: true });
      }
    },

    checkRoom,

    check: () => access(incoming, constants.R_OK | constants.W_OK),
  };
}

async function write(draft: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<Stored> {
  const { chunks, stored } = meterContent(content, limit);
  const file = await open(draft, "wx");
  try {
    await writeFile(file, chunks);
    await file.sync();
  } finally {
    await file.close();
  }
  return stored();
}

// A rename lasts once its folder is on the disk, and a new folder once the one above is.
async function moveInto(root: string, draft: string, target: string) {
  const folder = path.dirname(target);
  const created = await mkdir(folder, { recursive: true });
  await rename(draft, target);
  await sync(folder);
  if (created) {
    await sync(path.dirname(folder));
    await sync(root);
  }
}

async function sync(folder: string) {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
