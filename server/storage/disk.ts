import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../errors";
import { contentPath } from "./content-path";
import type { Storage, Stored } from "./storage";

/**
 * Content on the local disk: `ab/cd/<key>`, and unfinished content in `incoming/`. What `put` has answered survives
 * a loss of power. Rejects when the folder cannot be made.
 */
export async function openDiskStorage(folder: string): Promise<Storage> {
  const root = path.resolve(folder);
  const incoming = path.join(root, "incoming");
  await mkdir(incoming, { recursive: true });
  await removeLeftovers(incoming);

  return {
    async put(key, content, limit = Infinity) {
      const target = contentPath(root, key);
      const draft = path.join(incoming, `${key}.${randomUUID()}`);
      try {
        const stored = await write(draft, content, limit);
        await moveInto(root, draft, target);
        return stored;
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async open(key, range) {
      const handle = await open(contentPath(root, key)).catch(nullIfMissing);
      return handle?.createReadStream(range) ?? null;
    },

    async remove(key) {
      await rm(contentPath(root, key), { force: true });
    },
  };
}

async function write(draft: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<Stored> {
  const hash = createHash("sha256");
  let size = 0;
  async function* metered() {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > limit) throw new AppError("payload_too_large", `The content is larger than ${limit} bytes`);
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = await open(draft, "wx");
  try {
    await writeFile(file, metered());
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest() };
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

const LEFT_AFTER_MS = 3_600_000;

// Another process may be writing here at this moment, so only what nobody has touched for an hour goes.
async function removeLeftovers(incoming: string) {
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    const entry = await stat(file).catch(nullIfMissing);
    // The file system's clock, not the hub's.
    if (entry && Date.now() - entry.mtimeMs > LEFT_AFTER_MS) await rm(file, { force: true });
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
