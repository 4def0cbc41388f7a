import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
/** A lock file is incomplete between its creation and its last byte. */
const MAX_UNFINISHED_MS = 2_000;
/** From this age on, a lock's process id may belong to another process, where start times are unknown. */
const MAX_UNKNOWN_AGE_MS = 900_000;
const UNKNOWN = "unknown";

/**
 * Runs `work` while this process holds the lock file, in a folder that exists. The lock of a process that was killed is
 * removed. Calls `onWait` once with the number of the process that is waited for.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait]
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait = () => undefined) {
  let hasWaited = false;
  while (!(await tryLock(file))) {
    const held = await readLock(file);
    if (held === null) continue;
    if (await isAbandoned(held)) {
      await removeLock(file, held);
      continue;
    }
    if (!hasWaited && held.start) {
      onWait(held.pid);
      hasWaited = true;
    }
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryLock(file) {
  try {
    await writeFile(file, `${process.pid} ${await findStart(process.pid)}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Returns who holds a lock and since when; null if nobody does any more. */
async function readLock(file) {
  try {
    const [text, { mtimeMs, ino }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    const [pid, start] = text.split(" ");
    return { pid: Number(pid) || 0, start, ageMs: Date.now() - mtimeMs, ino };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

async function isAbandoned({ pid, start, ageMs }) {
  if (!pid || !start) return ageMs > MAX_UNFINISHED_MS;
  if (!isAlive(pid)) return true;
  // Another process may have the id of one that was killed.
  return start === UNKNOWN ? ageMs > MAX_UNKNOWN_AGE_MS : start !== (await findStart(pid));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to another user.
    return error.code === "EPERM";
  }
}

/** Returns when a process started, in ticks since the start of the system. */
async function findStart(pid) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name of a program may contain spaces and parentheses; the start is the 20th field after it.
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? UNKNOWN;
}

/** Removes a lock that was found abandoned, but not the one that another process has put in its place since. */
async function removeLock(file, { ino }) {
  const aside = `${file}.${process.pid}`;
  const found = await stat(file).catch(() => null);
  if (found?.ino !== ino) return;
  await rename(file, aside).catch(() => undefined);
  await rm(aside, { force: true });
}
