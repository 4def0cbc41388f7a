import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { openBrokenStorage, storageFailures } from "../../test/broken-s3";
import { openBucket } from "../../test/s3";
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
  expect(() => readEnv(truncated)).toThrow(/STORAGE_S3_SECRET_ACCESS_KEY: is required beside STORAGE_S3_ACCESS_KEY_ID/);
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

test("does not report an unknown bucket as missing content", async () => {
  const { env } = await openBucket();
  const storage = openS3Storage({
    ...{ bucket: "none", endpoint: env.STORAGE_S3_ENDPOINT, region: "eu-central-1", forcePathStyle: true, prefix: "" },
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await expect(storage.open(newId())).rejects.toMatchObject({ name: "StorageUnavailable" });
  await expect(storage.check()).rejects.toMatchObject({ name: "StorageUnavailable" });
});

test("retries a request that fails once", async () => {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method!);
    request.resume().on("end", () => response.writeHead(methods.length === 1 ? 503 : 200, { etag: '"e"' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  const storage = openS3Storage({
    ...{ bucket: "b", region: "eu-central-1", forcePathStyle: true, prefix: "" },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await storage.put(newId(), pieces(randomBytes(100_000)));
  expect(methods).toEqual(["PUT", "PUT"]);
  server.closeAllConnections();
});
