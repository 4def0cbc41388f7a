import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { openBucket } from "../../test/s3";
import { findVersitygw, INSTALL_VERSITYGW, openVersitygw } from "../../test/versitygw";
import { newId } from "../lib/id";
import { openDiskStorage } from "./disk";
import { openS3Storage } from "./s3";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-disk-"));
afterAll(() => rm(folder, { recursive: true }));
const bucket = await openBucket();
const binary = findVersitygw();
const versitygw = binary === undefined ? undefined : await openVersitygw(binary);

const storages = [
  {
    name: "disk",
    storage: await openDiskStorage(folder),
    leftovers: () => readdir(path.join(folder, "incoming")),
  },
  { name: "S3", storage: bucket.storage, leftovers: bucket.unfinished },
  ...(versitygw ? [{ name: "versitygw", storage: versitygw.storage, leftovers: versitygw.unfinished }] : []),
];

if (!versitygw) {
  test.skip(`storage on versitygw is not tested, because it is not installed: ${INSTALL_VERSITYGW}`, () => undefined);
}

test.runIf(versitygw)("a missing bucket and an unknown access key make the storage unavailable", async () => {
  const { settings } = versitygw!;
  const credentials = { accessKeyId: "unknown", secretAccessKey: "unknown" };
  for (const changes of [{ bucket: "none" }, { bucket: "files", credentials }]) {
    const storage = openS3Storage({ ...settings, prefix: "hub/", ...changes });
    await expect(storage.put(newId(), pieces("x"))).rejects.toMatchObject({ name: "StorageUnavailable" });
    await expect(storage.open(newId())).rejects.toMatchObject({ name: "StorageUnavailable" });
    await expect(storage.remove(newId())).rejects.toMatchObject({ name: "StorageUnavailable" });
    await expect(storage.check()).rejects.toMatchObject({ name: "StorageUnavailable" });
  }
});

async function* pieces(...parts: (string | Buffer | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}
const text = async (stream: Readable | null) => stream && Buffer.concat(await stream.toArray()).toString();

describe.each(storages)("storage on $name", ({ storage, leftovers }) => {
  test("stores content with its size and hash, and returns it whole and in ranges", async () => {
    const key = newId();
    const stored = await storage.put(key, pieces("0123", "", "456789"));
    expect(stored).toEqual({ size: 10, sha256: createHash("sha256").update("0123456789").digest() });
    expect(await text(await storage.open(key))).toBe("0123456789");
    expect(await text(await storage.open(key, { start: 0, end: 0 }))).toBe("0");
    expect(await text(await storage.open(key, { start: 3, end: 6 }))).toBe("3456");
    expect(await text(await storage.open(key, { start: 9, end: 9 }))).toBe("9");
    expect(await leftovers()).toEqual([]);
  });

  test("keeps a thumbnail apart from its file", async () => {
    const id = newId();
    await storage.put(id, pieces("original"));
    await storage.put(`${id}.w128`, pieces("thumbnail"));
    expect(await text(await storage.open(`${id}.w128`))).toBe("thumbnail");
    await storage.remove(`${id}.w128`);
    expect([await storage.open(`${id}.w128`), await text(await storage.open(id))]).toEqual([null, "original"]);
  });

  test("stores empty content, which differs from missing content", async () => {
    const key = newId();
    expect((await storage.put(key, pieces())).size).toBe(0);
    expect(await text(await storage.open(key))).toBe("");
    expect(await storage.open(newId())).toBeNull();
  });

  test("stores megabytes unchanged", async () => {
    const key = newId();
    const content = Array.from({ length: 40 }, () => randomBytes(100_000));
    const { sha256 } = await storage.put(key, pieces(...content));
    const back = Buffer.concat(await (await storage.open(key))!.toArray());
    expect(createHash("sha256").update(back).digest().equals(sha256)).toBe(true);
  });

  test("accepts exactly the limit, and one more byte leaves nothing behind", async () => {
    const key = newId();
    await storage.put(key, pieces("abc"), 3);
    const oversized = storage.put(key, pieces("new", "!"), 3);
    await expect(oversized).rejects.toMatchObject({ code: "payload_too_large" });
    expect(await text(await storage.open(key))).toBe("abc");
    expect(await leftovers()).toEqual([]);
  });

  test("stops reading its source once the limit is exceeded", async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(10);
      } finally {
        closed = true;
      }
    }
    await expect(storage.put(newId(), endless(), 100)).rejects.toMatchObject({ code: "payload_too_large" });
    expect(closed).toBe(true);
  });

  test("an interrupted put keeps the old content and leaves nothing of the new", async () => {
    const [key, fresh] = [newId(), newId()];
    await storage.put(key, pieces("old"));
    await expect(storage.put(key, pieces("ne", new Error("hung up")))).rejects.toThrow("hung up");
    await expect(storage.put(fresh, pieces("ne", new Error("hung up")))).rejects.toThrow("hung up");
    expect(await text(await storage.open(key))).toBe("old");
    expect(await storage.open(fresh)).toBeNull();
    expect(await leftovers()).toEqual([]);
  });

  test("one of several concurrent puts of a key wins completely", async () => {
    const key = newId();
    const contents = Array.from({ length: 20 }, (_, n) => String(n).padStart(2, "0").repeat(50_000));
    await Promise.all(contents.map((content) => storage.put(key, pieces(content.slice(0, 700), content.slice(700)))));
    expect(contents).toContain(await text(await storage.open(key)));
    expect(await leftovers()).toEqual([]);
  });

  test("an open reader keeps its content while it is replaced or removed", async () => {
    const key = newId();
    await storage.put(key, pieces("first"));
    const reader = await storage.open(key);
    await storage.put(key, pieces("second"));
    await storage.remove(key);
    expect(await text(reader)).toBe("first");
    expect(await storage.open(key)).toBeNull();
  });

  test("removing twice succeeds", async () => {
    const key = newId();
    await storage.put(key, pieces("x"));
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.open(key)).toBeNull();
  });

  test.each([
    "",
    "..",
    "../../etc/passwd",
    "a/b",
    `${randomUUID()}/..`,
    `${randomUUID()}.w1280`,
    `${randomUUID()}.w1/2`,
    `../${randomUUID()}`,
    randomUUID().toUpperCase(),
  ])("rejects the key %j", async (key) => {
    await expect(storage.put(key, pieces("x"))).rejects.toThrow(RangeError);
    await expect(storage.open(key)).rejects.toThrow(RangeError);
    await expect(storage.remove(key)).rejects.toThrow(RangeError);
  });
});
