import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { buildApp } from "fauxqs";
import { afterAll } from "vitest";
import { openS3Storage } from "../server/storage/s3";

const BUCKET = "files";
const credentials = { accessKeyId: "test", secretAccessKey: "test" };

/** The part of the server that is used here; its own types need a package that is not installed. */
interface S3Server {
  server: Server;
  addHook(name: "onRequest", hook: (request: { method: string; url: string }) => Promise<void>): void;
  listen(place: { port: number; host: string }): Promise<string>;
  close(): Promise<void>;
}

/** Opens a bucket on an S3-compatible server in this process, and the hub's storage in it. */
export async function openBucket() {
  const server = buildApp({ logger: false }) as unknown as S3Server;
  let unfinished = 0;
  server.addHook("onRequest", async ({ method, url }) => {
    if (method === "POST" && url.includes("?uploads")) unfinished += 1;
    else if (method !== "PUT" && url.includes("uploadId=")) unfinished -= 1;
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const settings = { endpoint: `http://127.0.0.1:${port}`, region: "eu-central-1", credentials, forcePathStyle: true };
  const client = new S3Client(settings);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  const close = async () => {
    server.server.closeAllConnections();
    await server.close();
  };
  afterAll(async () => {
    client.destroy();
    await close();
  });
  const keys = async () => {
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    return (Contents ?? []).map(({ Key }) => Key!);
  };
  return {
    storage: openS3Storage({ ...settings, bucket: BUCKET, prefix: "hub/" }),
    /** Settings of a hub that stores its files here. */
    env: {
      STORAGE_S3_BUCKET: BUCKET,
      STORAGE_S3_ENDPOINT: settings.endpoint,
      STORAGE_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      STORAGE_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      STORAGE_S3_FORCE_PATH_STYLE: "on",
    },
    keys,
    /** Returns an entry for each multipart upload that was neither completed nor aborted. */
    unfinished: async () => Array.from({ length: unfinished }, () => "upload"),
    close,
  };
}
