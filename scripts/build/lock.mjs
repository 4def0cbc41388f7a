import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Runs `work` while no other process of this clone builds. The lock of a process that was killed does not count. */
export async function withLock(file, work) {
  await mkdir(path.dirname(file), { recursive: true });
  while (!(await take(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await sleep(100);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

const take = (file) =>
  writeFile(file, String(process.pid), { flag: "wx" }).then(
    () => true,
    (error) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );

async function isAbandoned(file) {
  const pid = Number(await readFile(file, "utf8").catch(() => ""));
  // Between its making and its first byte a lock is empty.
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
