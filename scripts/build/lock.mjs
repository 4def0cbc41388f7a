import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Runs `work` while this process holds the lock file. The lock of a killed process is removed. */
export async function withLock(file, work) {
  await mkdir(path.dirname(file), { recursive: true });
  while (!(await tryLock(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await sleep(100);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

const tryLock = (file) =>
  writeFile(file, String(process.pid), { flag: "wx" }).then(
    () => true,
    (error) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );

async function isAbandoned(file) {
  const pid = Number(await readFile(file, "utf8").catch(() => ""));
  // A lock file is empty between its creation and its first byte.
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
