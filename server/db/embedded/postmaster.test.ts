import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPostmaster, type Postmaster, stopPostmaster } from "./postmaster";

/** Returns a data directory, and a process that was started with such arguments and survives the first signal. */
async function startProcess(values: (data: string) => string[]) {
  const data = await mkdtemp(path.join(os.tmpdir(), "hub-postmaster-"));
  const program = 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000); console.log("up")';
  const child = spawn(process.execPath, ["-e", program, "--", ...values(data)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await rm(data, { recursive: true });
  });
  await once(child.stdout, "data");
  const writePidFile = (startedAt: number, state = "ready   ") =>
    writeFile(
      path.join(data, "postmaster.pid"),
      `${child.pid}\n${data}\n${startedAt}\n5432\n\n127.0.0.1\n\n${state}\n`,
    );
  return { data, child, writePidFile };
}

test("a process that got the number of a crashed postmaster is not taken for it", async () => {
  const { data, writePidFile } = await startProcess(() => ["-D", os.tmpdir()]);
  await writePidFile(1);
  expect(await findPostmaster(data)).toBeNull();
});

test("a postmaster that has not yet got its port is not entered: another cluster may have it", async () => {
  const { data, writePidFile } = await startProcess((folder) => ["-D", folder]);
  await writePidFile(1, "starting");
  expect(await findPostmaster(data)).toMatchObject({ isReady: false, isStopping: false });
  await writePidFile(1);
  expect(await findPostmaster(data)).toMatchObject({ isReady: true, isStopping: false });
});

test("stopping a postmaster leaves a later one of the same cluster alone", async () => {
  const { data, child, writePidFile } = await startProcess((folder) => ["-D", folder]);
  await writePidFile(1);
  const first = (await findPostmaster(data)) as Postmaster;
  expect(first).toMatchObject({ pid: child.pid, port: 5432, isStopping: false });
  await writePidFile(2);
  await stopPostmaster(data, first);
  await stopPostmaster(data, { ...first, pid: process.ppid });
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect((await findPostmaster(data))?.startedAt).toBe("2");
});
