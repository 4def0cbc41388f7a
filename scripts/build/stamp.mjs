import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Returns a hash of the names and contents of all files below some paths, except tests. */
export async function hashSources(paths) {
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

/** Returns whether a stamp file has this hash: what it stands for was built from these sources. */
export const isFresh = async (stamp, hash) => (await readFile(stamp, "utf8").catch(() => "")) === hash;

export const writeStamp = (stamp, hash) => writeFile(stamp, hash);
