import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  CONTENT,
  openBrokenStorage,
  openLyingStorage,
  storageFailures,
  storageLies,
  truncations,
} from "../../test/broken-s3";
import { openBucket } from "../../test/s3";
import { serveRequests } from "../../test/serve-requests";
import { readEnv } from "../env";
import { newId } from "../lib/id";
import { openStorage } from "./open-storage";
import { openS3Storage } from "./s3";

async function* pieces(...parts: Buffer[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

test("stores an object under its prefix", async () => {
  const { storage, keys } = await openBucket();
  const key = newId();
  await storage.put(key, pieces(Buffer.from("x")));
  expect(await keys()).toEqual([`hub/${key}`]);
  await storage.check();
});

test("the hub's settings select the bucket", async () => {
  const { env, keys } = await openBucket();
  const key = newId();
  const storage = await openStorage(readEnv({ ...env, STORAGE_S3_PREFIX: "a/b." }));
  await storage.put(key, pieces(Buffer.from("x")));
  expect(await keys()).toEqual([`a/b.${key}`]);
  const truncated = { ...env, STORAGE_S3_SECRET_ACCESS_KEY: "" };
  expect(() => readEnv(truncated)).toThrow(/STORAGE_S3_SECRET_ACCESS_KEY: is required with STORAGE_S3_ACCESS_KEY_ID/);
});

test("reports an unreachable storage with its cause", async () => {
  const { storage, close } = await openBucket();
  await close();
  const unavailable = { name: "StorageUnavailable", message: "The storage does not respond." };
  await expect(storage.put(newId(), pieces(Buffer.from("x")))).rejects.toMatchObject(unavailable);
  await expect(storage.open(newId())).rejects.toMatchObject(unavailable);
  await expect(storage.remove(newId())).rejects.toMatchObject(unavailable);
  await expect(storage.check()).rejects.toMatchObject({ ...unavailable, cause: expect.anything() as unknown });
}, 60_000);

test.each(storageFailures)("%s makes every method report an unavailable storage", async (_, answer) => {
  const storage = await openBrokenStorage(answer);
  const unavailable = { name: "StorageUnavailable", message: "The storage does not respond." };
  await expect(storage.put(newId(), pieces(Buffer.from("x")))).rejects.toMatchObject(unavailable);
  const large = Array.from({ length: 12 }, () => Buffer.alloc(1024 ** 2));
  await expect(storage.put(newId(), pieces(...large))).rejects.toMatchObject(unavailable);
  await expect(storage.open(newId())).rejects.toMatchObject(unavailable);
  await expect(storage.remove(newId())).rejects.toMatchObject(unavailable);
  await expect(storage.check()).rejects.toMatchObject(unavailable);
});

test.each(storageLies)("does not believe %s", async (_, respond) => {
  const storage = await openLyingStorage(respond);
  await expect(storage.put(newId(), pieces(CONTENT))).rejects.toMatchObject({ name: "StorageUnavailable" });
  const large = Array.from({ length: 7 }, () => Buffer.alloc(1024 ** 2));
  await expect(storage.put(newId(), pieces(...large))).rejects.toMatchObject({ name: "StorageUnavailable" });
});

test("asks a bucket with ETags of its own for the size", async () => {
  const methods: string[] = [];
  const storage = await openLyingStorage(({ method }, response) => {
    methods.push(method);
    response
      .writeHead(200, { etag: '"of a key service"', "content-length": method === "HEAD" ? CONTENT.length : 0 })
      .end();
  });
  expect((await storage.put(newId(), pieces(CONTENT))).size).toBe(CONTENT.length);
  expect(methods).toEqual(["PUT", "HEAD"]);
});

test("asks no further when the ETag is the content's MD5", async () => {
  const methods: string[] = [];
  const storage = await openLyingStorage(({ method, body }, response) => {
    methods.push(method);
    response.writeHead(200, { etag: createHash("md5").update(body).digest("hex") }).end();
  });
  await storage.put(newId(), pieces(CONTENT));
  expect(methods).toEqual(["PUT"]);
});

test.each(truncations)("a content that %s fails at once instead of leaving its reader waiting", async (_, respond) => {
  const storage = await openLyingStorage(respond, 300);
  const startedAt = performance.now();
  const read = async (range?: { start: number; end: number }) =>
    (await storage.open(newId(), range, CONTENT.length))!.toArray();
  await expect(read()).rejects.toMatchObject({ name: "StorageUnavailable" });
  await expect(read({ start: 0, end: CONTENT.length - 1 })).rejects.toMatchObject({ name: "StorageUnavailable" });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("a slow reader is not taken for a storage that stalls", async () => {
  const respond: Parameters<typeof openLyingStorage>[0] = (_, response) =>
    response.writeHead(200, { etag: '"e"', "content-length": CONTENT.length }).end(CONTENT);
  const storage = await openLyingStorage(respond, 50);
  let size = 0;
  for await (const chunk of (await storage.open(newId(), undefined, CONTENT.length))!) {
    size += (chunk as Buffer).length;
    await delay(60);
  }
  expect(size).toBe(CONTENT.length);
});

test("new content is rejected while the storage is known to be unavailable, until a probe was stored", async () => {
  let isAway = true;
  const storage = await openLyingStorage(({ method, body }, response) => {
    if (isAway) return void response.socket!.destroy();
    response.writeHead(method === "DELETE" ? 204 : 200, { etag: createHash("md5").update(body).digest("hex") }).end();
  });
  await storage.checkRoom();
  await expect(storage.put(newId(), pieces(CONTENT))).rejects.toMatchObject({ name: "StorageUnavailable" });
  await expect(storage.checkRoom()).rejects.toMatchObject({ name: "StorageUnavailable" });
  isAway = false;
  await expect
    .poll(
      () =>
        storage.checkRoom().then(
          () => "there",
          () => "away",
        ),
      { timeout: 5_000 },
    )
    .toBe("there");
});

test("does not report an unknown bucket as missing content", async () => {
  const { env } = await openBucket();
  const storage = openS3Storage({
    bucket: "none",
    endpoint: env.STORAGE_S3_ENDPOINT,
    region: "eu-central-1",
    forcePathStyle: true,
    prefix: "",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await expect(storage.open(newId())).rejects.toMatchObject({ name: "StorageUnavailable" });
  await expect(storage.check()).rejects.toMatchObject({ name: "StorageUnavailable" });
});

test("retries a request that fails once", async () => {
  const methods: string[] = [];
  const content = randomBytes(100_000);
  const endpoint = await serveRequests((request, response) => {
    methods.push(request.method!);
    request
      .resume()
      .on("end", () =>
        response
          .writeHead(methods.length === 1 ? 503 : 200, { etag: `"${createHash("md5").update(content).digest("hex")}"` })
          .end(),
      );
  });
  const storage = openS3Storage({
    bucket: "b",
    region: "eu-central-1",
    forcePathStyle: true,
    prefix: "",
    endpoint,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await storage.put(newId(), pieces(content));
  expect(methods).toEqual(["PUT", "PUT"]);
});
