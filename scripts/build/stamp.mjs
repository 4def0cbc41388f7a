import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Hash of the names and contents below some paths; tests are no part of a build. */
export async function hashOf(paths) {
  const hash = createHash("sha256");
  for (const file of (await Promise.all(paths.map(filesBelow))).flat().sort()) {
    hash
      .update(`${file}\0`)
      .update(await readSource(file))
      .update("\0");
  }
  return hash.digest("hex");
}

// `npm prune` writes the lock file anew in its own order and format, and only its versions matter to a build.
async function readSource(file) {
  const content = await readFile(file);
  if (path.basename(file) !== "package-lock.json") return content;
  const versions = Object.entries(JSON.parse(content).packages).map(([place, { version }]) => `${place} ${version}`);
  return versions.sort().join("\n");
}

async function filesBelow(place) {
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === "ENOTDIR") return null;
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries === null) return [place];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Whether what lies beside a stamp was made from the very sources of today. */
export const isFresh = async (stamp, hash) => (await readFile(stamp, "utf8").catch(() => "")) === hash;

export const leaveStamp = (stamp, hash) => writeFile(stamp, hash);
