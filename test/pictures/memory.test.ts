import { fork } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundleProgram } from "../bundle-program";
import { soakCount } from "../soak";
import { makeHostilePictures } from "./hostile-pictures";

const MAX_PEAK_BYTES = 700 * 1024 ** 2;

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-pictures-"));
afterAll(() => rm(folder, { recursive: true }));

interface Report {
  states: string[];
  peakBytes: number;
}

async function decodeInChild(paths: string[]): Promise<Report> {
  // `npm start` sets it too: by default glibc keeps up to 300 MiB of what each decoder thread has freed.
  const env = { ...process.env, MALLOC_ARENA_MAX: "2" };
  const child = fork(await bundleProgram("test/pictures/decode-child.ts"), paths, { execArgv: [], env });
  return new Promise((resolve, reject) => {
    child.once("message", (report) => resolve(report as Report));
    child.once("exit", (code, signal) => reject(new Error(`the child ended with ${code ?? signal}`)));
  });
}

test("images that decode to hundreds of megabytes stay within one memory limit, however many are processed concurrently", async () => {
  const pictures = Object.entries(await makeHostilePictures());
  const paths = pictures.map(([name]) => path.join(folder, name));
  await Promise.all(pictures.map(([, content], index) => writeFile(paths[index]!, content)));
  const { states, peakBytes } = await decodeInChild(paths);
  expect(states).toEqual(Array(soakCount(2, 4)).fill("succeeded"));
  expect(peakBytes).toBeLessThan(MAX_PEAK_BYTES);
}, 180_000);
