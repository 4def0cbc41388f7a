import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { createArchive, type Entry, readEntries, verifyArchive } from "./archive";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-archive-"));
afterAll(() => rm(folder, { recursive: true }));

/** An archive as version 0.2.0 wrote it. */
const earlier = path.join(import.meta.dirname, "fixtures", "backup.tar");
const entries: Entry[] = [
  { name: "secret", content: Buffer.from("a secret") },
  { name: "database/public.account/000001.copy.gz", content: Buffer.from("x".repeat(512)) },
  { name: `files/00/${"0".repeat(64)}/000001`, content: Buffer.alloc(0) },
];

async function readAll(source: string): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of readEntries(source)) all.push(entry);
  return all;
}

test("reads an archive that an earlier version wrote", async () => {
  const { manifest, secrets } = await verifyArchive(earlier);
  expect(manifest).toMatchObject({ hub: "0.2.0", entries: 3 });
  expect(secrets).toEqual(new Map([["secret", "a secret"]]));
  expect((await readAll(earlier)).slice(0, -1)).toEqual(entries);
});

test("writes what every tar reads", async () => {
  const target = path.join(folder, "backup.tar");
  const archive = await createArchive(target);
  for (const { name, content } of entries) await archive.write(name, content);
  await archive.commit((await verifyArchive(earlier)).manifest);
  const listed = execFileSync("tar", ["--list", "--verbose", "--file", target], { encoding: "utf8" });
  for (const { name, content } of entries)
    expect(listed).toMatch(new RegExp(`^-rw------- 0/0 +${content.length} 1970-01-01 .* ${name}$`, "m"));
  expect(await readAll(target)).toHaveLength(entries.length + 1);
});

test("takes the place of an empty folder, and of nothing else", async () => {
  const target = path.join(folder, "taken");
  await mkdir(target);
  const archive = await createArchive(target);
  await writeFile(target, "a file");
  await expect(createArchive(target)).rejects.toThrow("exists already");
  await expect(archive.commit((await verifyArchive(earlier)).manifest)).rejects.toThrow("The backup is whole");
  await archive.abort();
  await rm(target);
  await rename(`${target}.partial`, target);
  expect((await readAll(target)).map(({ name }) => name)).toEqual(["manifest.json"]);
});

test("rejects a name that is too long for a header", async () => {
  const archive = await createArchive(path.join(folder, "long.tar"));
  await expect(archive.write("n".repeat(101), Buffer.alloc(0))).rejects.toThrow("too long for a tar archive");
  await archive.abort();
});
