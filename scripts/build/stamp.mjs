import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Returns a hash of the names and contents of all files below some paths, except tests. */
async function hashSources(paths) {
  const hash = createHash("sha256");
  for (const file of (await Promise.all(paths.map(listFiles))).flat().sort()) {
    hash
      .update(`${file}\0`)
      .update(await readSource(file))
      .update("\0");
  }
  return hash.digest("hex");
}

// `npm prune` rewrites the lock file in another order and format, but only the versions in it matter to a build.
async function readSource(file) {
  const content = await readFile(file);
  if (path.basename(file) !== "package-lock.json") return content;
  const versions = Object.entries(JSON.parse(content).packages).map(([place, { version }]) => `${place} ${version}`);
  return versions.sort().join("\n");
}

async function listFiles(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === "ENOTDIR") return null;
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries === null) return [root];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * Returns whether what a stamp file stands for was built from these sources as they are. Files whose sizes and times are
 * those of the stamp are not read: reading all of them would take a fifth of a start.
 */
export async function isFresh(stamp, paths) {
  const [hash, state] = (await readFile(stamp, "utf8").catch(() => "")).split("\n");
  const found = await describeFiles(paths);
  if (found === state) return true;
  if (hash !== (await hashSources(paths))) return false;
  // This only saves time: it is skipped for a folder that is read-only or belongs to another user.
  await writeFile(stamp, `${hash}\n${found}`).catch(() => undefined);
  return true;
}

/** Returns the stamp for a build of these sources that begins now. */
export async function createStamp(paths) {
  // In this order: a file that changes meanwhile differs from the state, and its content is compared with the hash.
  const state = await describeFiles(paths);
  return `${await hashSources(paths)}\n${state}`;
}

/** Returns a text that differs when a file is written, added, moved or removed. */
async function describeFiles(paths) {
  const hash = createHash("sha256");
  for (const file of (await Promise.all(paths.map(listFiles))).flat().sort()) {
    // A program can set back the time of the last write, but not that of the last change.
    const { size, ctimeMs } = statSync(file);
    hash.update(`${file} ${size} ${ctimeMs}\n`);
  }
  return hash.digest("hex");
}
