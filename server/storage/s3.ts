import { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { checkKey } from "./key";
import { meterContent } from "./meter";
import type { Storage } from "./storage";
import { StorageUnavailable } from "./storage-unavailable";

export interface S3Settings {
  bucket: string;
  endpoint?: string;
  region: string;
  /** Without it, what the SDK finds by itself. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  forcePathStyle: boolean;
  prefix: string;
}

/** The smallest part that S3 takes. */
const PART_BYTES = 5 * 1024 * 1024;
const MAX_CONNECTIONS = 200;

/**
 * Content in a bucket of S3, or of anything that speaks like it: an object a key. The address is the operator's own,
 * so it may be a private one. What a crash leaves of a multipart upload, a lifecycle rule of the bucket removes.
 */
export function openS3Storage({ bucket, prefix, ...settings }: S3Settings): Storage {
  const client = new S3Client({
    ...settings,
    // Other storages than Amazon's refuse the checksums that it takes by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  });
  const objectOf = (key: string) => ({ Bucket: bucket, Key: prefix + checkKey(key) });

  return {
    async put(key, content, limit = Infinity) {
      const object = objectOf(key);
      const { chunks, fault, stored } = meterContent(content, limit);
      const params = { ...object, Body: Readable.from(chunks) };
      try {
        // One part at a time: memory for many uploads at once matters more than the speed of one.
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done();
      } catch (error) {
        const broken = fault();
        throw broken ?? away(error);
      }
      return stored();
    },

    async open(key, range) {
      const asked = { ...objectOf(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) };
      try {
        const { Body } = await client.send(new GetObjectCommand(asked));
        return Body as Readable;
      } catch (error) {
        if (error instanceof Error && error.name === "NoSuchKey") return null;
        throw away(error);
      }
    },

    async remove(key) {
      const object = objectOf(key);
      await client.send(new DeleteObjectCommand(object)).catch(raiseAway);
    },

    // A lifecycle rule of the bucket does it (docs/files.md).
    sweep: () => Promise.resolve(),

    // A bucket has no end.
    checkRoom: () => Promise.resolve(),

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch(raiseAway);
    },
  };
}

const away = (cause: unknown) => new StorageUnavailable("The storage does not answer.", { cause });

function raiseAway(cause: unknown): never {
  throw away(cause);
}
