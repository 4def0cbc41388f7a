import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { Header } from "tar/header";
import { nullIfMissing, syncFolder } from "../../lib/folders";
import { OperatorError } from "../../lib/operator-error";
import { checksumLine, MANIFEST, Manifest } from "./manifest";

/** Content is stored in parts of at most this size, which bounds memory. */
export const PART_BYTES = 8 * 1024 ** 2;
const BLOCK_BYTES = 512;
const SUMS = "SHA256SUMS";
/** The entries with HUB_SECRET and HUB_SECRET_PREVIOUS. */
export const SECRETS = ["secret", "secret.previous"];

export interface Entry {
  name: string;
  content: Buffer;
}

/** Where entries are written one after another: a folder, or a tar archive if the name ends with `.tar`. */
interface Container {
  add(name: string, content: Buffer): Promise<void>;
  /** Writes the manifest and waits until everything is on the disk. */
  finish(manifest: Buffer): Promise<void>;
  close(): Promise<void>;
}

export interface ArchiveWriter {
  write(name: string, content: Buffer): Promise<void>;
  /** Completes the backup: only now does it get its name and its manifest. */
  commit(manifest: Omit<Manifest, "entries" | "digest">): Promise<void>;
  /** Removes what was written, unless it is whole. */
  abort(): Promise<void>;
}

/**
 * Begins a backup at `target`. It is written under another name, ending with `.partial`, until it is whole. Throws
 * OperatorError when the target, or the rest of an earlier backup, exists.
 */
export async function createArchive(target: string): Promise<ArchiveWriter> {
  const partial = `${target}.partial`;
  await makeFree(target);
  const container = await (isTar(target) ? createTar(partial) : createFolder(partial)).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === "EEXIST"
        ? `${partial} is what a backup left that was cut off, or one that is under way: remove it.`
        : `Cannot write to ${partial} (${code}).`,
    );
  });
  const digest = createHash("sha256");
  let entries = 0;
  let isWhole = false;
  return {
    async write(name, content) {
      digest.update(checksumLine(name, content));
      entries += 1;
      await container.add(name, content);
    },
    async commit(manifest) {
      const whole: Manifest = { ...manifest, entries, digest: digest.digest("hex") };
      await container.finish(Buffer.from(`${JSON.stringify(whole, null, 2)}\n`));
      isWhole = true;
      await rename(partial, target).catch(({ code }: NodeJS.ErrnoException) => {
        throw new OperatorError(`The backup is whole, but still named ${partial}: rename it to ${target} (${code}).`);
      });
      await syncFolder(path.dirname(path.resolve(target)));
    },
    async abort() {
      if (isWhole) return;
      await container.close().catch(() => undefined);
      await rm(partial, { recursive: true, force: true });
    },
  };
}

const isTar = (name: string): boolean => name.endsWith(".tar");

/** Removes an empty folder, which the backup replaces. Throws OperatorError for anything else, such as a mounted folder. */
async function makeFree(target: string): Promise<void> {
  const exists = new OperatorError(`${target} exists already: choose another name.`);
  if (isTar(target)) {
    if (await stat(target).catch(nullIfMissing)) throw exists;
    return;
  }
  await rmdir(target).catch(({ code }: NodeJS.ErrnoException) => {
    if (code === "EBUSY") throw new OperatorError(`${target} is mounted: name a folder in it, such as ${target}/hub.`);
    if (code !== "ENOENT") throw exists;
  });
}

async function createFolder(folder: string): Promise<Container> {
  await mkdir(folder, { mode: 0o700 });
  const sums = await open(path.join(folder, SUMS), "wx", 0o600);
  const folders = new Set<string>();
  return {
    async add(name, content) {
      const file = path.join(folder, name);
      const above = path.dirname(file);
      if (!folders.has(above)) await mkdir(above, { recursive: true, mode: 0o700 });
      // Each file's content has its own folder; remembering those would take memory without bound.
      if (!name.startsWith("files/")) folders.add(above);
      await writeFile(file, content, { flag: "wx", mode: 0o600 });
      await sums.appendFile(checksumLine(name, content));
    },
    async finish(manifest) {
      await sums.sync();
      await sums.close();
      await writeFile(path.join(folder, MANIFEST), manifest, { flag: "wx", mode: 0o600, flush: true });
    },
    close: () => sums.close(),
  };
}

async function createTar(file: string): Promise<Container> {
  const handle = await open(file, "wx", 0o600);
  const add = async (name: string, content: Buffer) => {
    await handle.appendFile(encodeHeader(name, content.length));
    await handle.appendFile(content);
    await handle.appendFile(paddingAfter(content.length));
  };
  return {
    add,
    async finish(manifest) {
      await add(MANIFEST, manifest);
      // Two blocks of zeros end an archive.
      await handle.appendFile(Buffer.alloc(2 * BLOCK_BYTES));
      await handle.sync();
      await handle.close();
    },
    close: () => handle.close(),
  };
}

/** Returns the header of a file that only its owner may read. */
function encodeHeader(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const header = new Header({ path, size, type: "File", mode: 0o600, uid: 0, gid: 0, mtime: new Date(0) });
  if (header.encode(block)) throw new RangeError(`the name ${path} is too long for a tar archive`);
  return block;
}

/** Returns the zeros that fill the last block of content of this size. */
const paddingAfter = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);

/** Yields the entries of a backup in the order in which they were written, the manifest last. Throws OperatorError. */
export function readEntries(source: string): AsyncGenerator<Entry> {
  return isTar(source) ? readTar(source) : readFolder(source);
}

const notWhole = (source: string, reason: string, cause?: unknown) =>
  new OperatorError(`${source} is not a whole backup: ${reason}.`, { cause });

async function* readFolder(folder: string): AsyncGenerator<Entry> {
  const read = async (name: string): Promise<Entry> => {
    const file = path.resolve(folder, name);
    if (!file.startsWith(path.resolve(folder) + path.sep)) throw notWhole(folder, `${SUMS} names ${name}`);
    const size = await stat(file).then(
      (found) => found.size,
      (error: unknown) => Promise.reject(notWhole(folder, `${name} is missing`, error)),
    );
    if (size > 2 * PART_BYTES) throw notWhole(folder, `${name} is too large`);
    return { name, content: await readFile(file) };
  };
  const manifest = await read(MANIFEST);
  const lines = createInterface({ input: createReadStream(path.join(folder, SUMS)), crlfDelay: Infinity });
  for await (const line of lines) yield await read(line.slice(line.indexOf("  ") + 2));
  yield manifest;
}

async function* readTar(file: string): AsyncGenerator<Entry> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read (${error.code}).`);
  });
  const readBytes = async (length: number): Promise<Buffer> => {
    const content = Buffer.alloc(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await handle.read(content, filled, length - filled);
      if (bytesRead === 0) throw notWhole(file, "it ends too early");
      filled += bytesRead;
    }
    return content;
  };
  try {
    for (;;) {
      const { nullBlock, cksumValid, path: name = "", size = 0 } = new Header(await readBytes(BLOCK_BYTES));
      if (nullBlock) return;
      if (!cksumValid) throw notWhole(file, "it is damaged, or no archive");
      if (size > 2 * PART_BYTES) throw notWhole(file, `${name} is too large`);
      const content = await readBytes(size);
      await readBytes(paddingAfter(size).length);
      yield { name, content };
    }
  } finally {
    await handle.close();
  }
}

/**
 * Reads a whole backup and returns its manifest, with the secrets by the names of their entries. Throws OperatorError
 * when it was cut off or changed.
 */
export async function verifyArchive(source: string): Promise<{ manifest: Manifest; secrets: Map<string, string> }> {
  if (source.endsWith(".partial")) throw notWhole(source, "it was cut off, or is still being written");
  const digest = createHash("sha256");
  const secrets = new Map<string, string>();
  let entries = 0;
  let manifest: Manifest | null = null;
  for await (const { name, content } of readEntries(source)) {
    if (manifest) throw notWhole(source, `${name} comes after the manifest`);
    if (name === MANIFEST) {
      manifest = parseManifest(source, content);
      continue;
    }
    entries += 1;
    digest.update(checksumLine(name, content));
    if (SECRETS.includes(name)) secrets.set(name, content.toString());
  }
  if (!manifest) throw notWhole(source, `it has no ${MANIFEST}`);
  if (manifest.entries !== entries || manifest.digest !== digest.digest("hex"))
    throw notWhole(source, "its content differs from its manifest");
  return { manifest, secrets };
}

function parseManifest(source: string, content: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(content.toString()));
  } catch (error) {
    throw notWhole(source, `its ${MANIFEST} is not one of this version`, error);
  }
}
