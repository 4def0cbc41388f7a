import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { withLock } from "./lock.mjs";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-lock-"));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ["that is empty", ""],
  ["of a process that has ended", "999999999 1"],
  ["whose number another process has now", `${process.ppid} 1`],
  ["that names no start", `${process.ppid}`],
])("a lock %s is removed", async (_kind, text) => {
  const file = path.join(await makeFolder(), "lock");
  await writeFile(file, text);
  const created = new Date(Date.now() - 60_000);
  await utimes(file, created, created);
  expect(await withLock(file, () => Promise.resolve("built"))).toBe("built");
  expect(await readdir(path.dirname(file))).toEqual([]);
});

test("says once which process is waited for, and goes on when it has ended", async () => {
  const file = path.join(await makeFolder(), "lock");
  const module = JSON.stringify(path.resolve("scripts/build/lock.mjs"));
  const program = `import { withLock } from ${module}; withLock(${JSON.stringify(file)}, () => new Promise(() => setInterval(() => console.log("held"), 20)))`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  const waits: number[] = [];
  await withLock(
    file,
    () => Promise.resolve(),
    (pid: number) => {
      waits.push(pid);
      holder.kill("SIGKILL");
    },
  );
  expect(waits).toEqual([holder.pid]);
});

test("a clone that is read-only starts when it is built, and otherwise says in one sentence what is missing", async () => {
  const clone = await makeFolder();
  for (const name of ["package.json", "package-lock.json", "prisma.config.ts", "prisma/schema.prisma", "scripts"])
    await cp(name, path.join(clone, name), { recursive: true });
  for (const folder of ["prisma/client", "node_modules/prisma"])
    await mkdir(path.join(clone, folder), { recursive: true });
  const run = (program: string, user = {}) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd: clone, ...user });
  const stampProgram = `
    import { createStamp } from "./scripts/build/stamp.mjs";
    import { steps } from "./scripts/build/steps.mjs";
    process.stdout.write(await createStamp(steps.client.sources));`;
  const stamp = path.join(clone, "prisma/client/.stamp");
  // Written anew, because the times of files that it contains differ in a copy.
  await writeFile(stamp, `${(await run(stampProgram)).stdout.split("\n")[0]}\n`);
  await chmod(clone, 0o555);
  onTestFinished(() => chmod(clone, 0o755));
  // File permissions do not restrict root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const startProgram = `
    import { ensureBuilt } from "./scripts/build/ensure-built.mjs";
    await ensureBuilt(["client"]);`;
  expect(await run(startProgram, nobody)).toEqual({ stdout: "", stderr: "" });
  expect(await readdir(clone)).not.toContain("dist");
  await writeFile(path.join(clone, "prisma/schema.prisma"), "changed");
  await expect(run(startProgram, nobody)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database client must be built, but nothing can be written to .*\(EACCES\): .*\.\n$/,
    ) as string,
  });
});
