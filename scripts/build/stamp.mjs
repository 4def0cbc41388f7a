import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Hash of the names and contents below some paths; tests are no part of a build. */
export async function hashOf(paths) {
  const hash = createHash("sha256");
  for (const file of (await Promise.all(paths.map(filesBelow))).flat().sort()) {
    hash
      .update(`${file}\0`)
      .update(await readFile(file))
      .update("\0");
  }
  return hash.digest("hex");
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
