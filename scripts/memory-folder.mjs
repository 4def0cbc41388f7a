import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { freemem } from "node:os";
import path from "node:path";

const MOUNT = "/dev/shm";
const PREFIX = "hub-tests-";
/** Databases and data folders of a run take less than one GiB at a time; its processes need the rest. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Puts the temporary folder of this process and its children in memory until this process exits: on a disk, creating
 * and dropping the databases of the tests takes four times as much CPU. Does nothing where memory is short, or where
 * programs may not be run from it.
 */
export function useMemoryFolder() {
  if (!isUsable()) return;
  removeAbandoned();
  const folder = mkdtempSync(path.join(MOUNT, `${PREFIX}${process.pid}-`));
  // Started by root, Postgres runs as another user, who must be able to traverse the folder.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function isUsable() {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const options = mounts.map((line) => line.split(" ")).find(([, place]) => place === MOUNT)?.[3];
    const { bavail, bsize } = statfsSync(MOUNT);
    const hasRoom = Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES;
    return hasRoom && options !== undefined && !/\b(noexec|ro)\b/.test(options);
  } catch {
    // Not Linux.
    return false;
  }
}

/** Removes the folders of this user's runs that were killed. */
function removeAbandoned() {
  const folders = readdirSync(MOUNT).filter((name) => name.startsWith(PREFIX));
  for (const name of folders) {
    const folder = path.join(MOUNT, name);
    const isOwn = statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid();
    if (isOwn && !isRunning(Number(name.slice(PREFIX.length).split("-")[0])))
      rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}
