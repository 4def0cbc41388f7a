import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "./s3";
import { putObject } from "./s3-put";
import { headObject, rejectionName, sendBounded } from "./s3-request";
import type { TombstoneLog } from "./tombstones";

/** Returns a log of tombstones in a bucket: an object for each batch, below `tombstones/` of the prefix. */
export function openTombstoneBucket({ bucket, prefix, ...settings }: S3Settings): TombstoneLog {
  const client = new S3Client({
    ...settings,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });
  const folder = `${prefix}tombstones/`;
  const start = { Bucket: bucket, Key: `${folder}begun-at` };
  let hasBegun = false;
  const put = (object: { Bucket: string; Key: string }, content: string) =>
    putObject(client, object, Readable.from([Buffer.from(content)]), Infinity);
  const get = async (Key: string): Promise<string | null> => {
    const command = new GetObjectCommand({ Bucket: bucket, Key });
    const response = await sendBounded((options) => client.send(command, options)).catch((error: Error) => {
      if (rejectionName(error) === "NoSuchKey") return null;
      throw error;
    });
    return response && text(response.Body as Readable);
  };
  return {
    append: async (lines) => void (await put({ Bucket: bucket, Key: `${folder}${Date.now()}-${randomUUID()}` }, lines)),
    async findStart() {
      const begun = await get(start.Key);
      return begun === null ? null : new Date(begun);
    },
    async begin(now) {
      if (!hasBegun && !(await headObject(client, start))) await put(start, now.toISOString());
      hasBegun = true;
    },
    async *read() {
      for (let token: string | undefined; ;) {
        const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: folder, ContinuationToken: token });
        const page = await sendBounded((options) => client.send(command, options));
        for (const { Key } of page.Contents ?? []) if (Key !== start.Key) yield (await get(Key!)) ?? "";
        token = page.NextContinuationToken;
        if (!token) return;
      }
    },
  };
}
