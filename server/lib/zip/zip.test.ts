import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { moveDirectory, readTail, TAIL_BYTES, writeTail } from "./zip-directory";
import { createZipWriter } from "./zip-writer";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-zip-"));
afterAll(() => rm(folder, { recursive: true }));
const time = new Date("2026-03-01T12:00:00Z");

async function makeZip(...contents: string[]): Promise<Buffer> {
  const zip = createZipWriter();
  const whole = buffer(zip.content);
  for (const text of contents)
    await zip.add({ name: `${text}.txt`, time, isCompressed: text.length > 3 }, Readable.from([text]));
  zip.end();
  return whole;
}

/** Writes archives into one file, each at its position, and returns what Python reads of it. */
async function joinAndRead(parts: { archive: Buffer; at: number }[]): Promise<unknown> {
  const file = path.join(folder, "joined.zip");
  const handle = await open(file, "w");
  let [entries, end] = [0, 0];
  const directories: Buffer[] = [];
  for (const { archive, at } of parts) {
    const shape = readTail(archive.subarray(-TAIL_BYTES));
    await handle.write(archive.subarray(0, shape.contentBytes), 0, shape.contentBytes, at);
    directories.push(moveDirectory(archive.subarray(shape.contentBytes, -TAIL_BYTES), at));
    entries += shape.entries;
    end = at + shape.contentBytes;
  }
  const directory = Buffer.concat(directories);
  const tail = writeTail(parts[0]!.archive.subarray(-TAIL_BYTES), {
    entries,
    contentBytes: end,
    directoryBytes: directory.length,
  });
  await handle.write(Buffer.concat([directory, tail]), 0, directory.length + tail.length, end);
  await handle.close();
  const script =
    "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps([z.testzip(), {n: z.read(n).decode() for n in z.namelist()}]))";
  return JSON.parse(execFileSync("python3", ["-c", script, file], { encoding: "utf8" }));
}

test("archives are joined into one that another program verifies", async () => {
  const [one, two] = [await makeZip("one", "twelve"), await makeZip("two")];
  const { contentBytes } = readTail(one.subarray(-TAIL_BYTES));
  const read = await joinAndRead([
    { archive: one, at: 0 },
    { archive: two, at: contentBytes },
  ]);
  expect(read).toEqual([null, { "one.txt": "one", "twelve.txt": "twelve", "two.txt": "two" }]);
});

test("contents beyond 4 GiB are found by ZIP64 records", async () => {
  const far = 5 * 1024 ** 3;
  const read = await joinAndRead([
    { archive: await makeZip("near"), at: 0 },
    { archive: await makeZip("far"), at: far },
  ]);
  expect(read).toEqual([null, { "near.txt": "near", "far.txt": "far" }]);
  // A record that has a ZIP64 field already is moved within it.
  const archive = await makeZip("far");
  const directory = archive.subarray(readTail(archive.subarray(-TAIL_BYTES)).contentBytes, -TAIL_BYTES);
  expect(moveDirectory(moveDirectory(directory, far), far)).toEqual(moveDirectory(directory, 2 * far));
});

test("an error of a content reaches whoever reads the archive", async () => {
  const zip = createZipWriter();
  const read = buffer(zip.content);
  const failing = new Readable({ read: () => failing.destroy(new Error("gone")) });
  const added = zip.add({ name: "a", time, isCompressed: false }, failing);
  added.catch(zip.destroy);
  await expect(added).rejects.toThrow("gone");
  await expect(read).rejects.toThrow("gone");
});
