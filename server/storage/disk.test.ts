import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { newId } from "../lib/id";
import { openDiskStorage } from "./disk";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-disk-"));
afterAll(() => rm(folder, { recursive: true }));

async function* pieces(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

test("spreads keys of the same moment over many folders", async () => {
  const fresh = await mkdtemp(path.join(folder, "spread-"));
  const spread = await openDiskStorage(fresh);
  await Promise.all(Array.from({ length: 100 }, () => spread.put(newId(), pieces("x"))));
  expect((await readdir(fresh)).length).toBeGreaterThan(50);
});

test("a sweep removes stale unfinished content, and keeps recent writes", async () => {
  const fresh = await mkdtemp(path.join(folder, "crash-"));
  const storage = await openDiskStorage(fresh);
  const [old, young] = ["old", "young"].map((name) => path.join(fresh, "incoming", name));
  await Promise.all([writeFile(old!, "half"), writeFile(young!, "half")]);
  const written = (await stat(old!)).mtimeMs;
  await utimes(old!, new Date(written - 7_200_000), new Date(written - 7_200_000));
  await storage.sweep(new Date(written - 3_600_000));
  expect(await readdir(path.join(fresh, "incoming"))).toEqual(["young"]);
});

test("a folder that cannot be created is an error at once", async () => {
  const file = path.join(folder, "plain-file");
  await writeFile(file, "");
  await expect(openDiskStorage(path.join(file, "below"))).rejects.toThrow();
});
