import { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { meterContent } from "./meter";
import { openDirectAccess } from "./s3-direct";
import { checkKey, type Storage, StorageUnavailable } from "./storage";

export interface S3Settings {
  bucket: string;
  endpoint?: string;
  region: string;
  /** Omit to use the SDK's default credential chain. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  forcePathStyle: boolean;
  prefix: string;
}

/** The minimum part size of S3. */
const PART_BYTES = 5 * 1024 * 1024;
const MAX_CONNECTIONS = 200;

/**
 * Opens a storage in an S3-compatible bucket, one object per key. The endpoint comes from the operator, so it may be a
 * private address. A lifecycle rule of the bucket must remove multipart uploads that a crash leaves behind.
 */
export function openS3Storage({ bucket, prefix, ...settings }: S3Settings): Storage {
  const client = new S3Client({
    ...settings,
    // S3-compatible storages reject the checksums that the SDK sends by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  });
  const toObject = (key: string) => ({ Bucket: bucket, Key: prefix + checkKey(key) });
  const toStaged = (id: string) => ({ Bucket: bucket, Key: `${prefix}incoming/${checkKey(id)}` });

  return {
    direct: openDirectAccess({ client, toObject, toStaged }),

    async put(key, content, limit = Infinity) {
      const object = toObject(key);
      const { chunks, sourceError, stored } = meterContent(content, limit);
      const params = { ...object, Body: Readable.from(chunks) };
      try {
        // One part at a time: the memory of many concurrent uploads matters more than the speed of one.
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done();
      } catch (error) {
        throw sourceError() ?? toStorageUnavailable(error);
      }
      return stored();
    },

    async open(key, range) {
      const request = { ...toObject(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) };
      try {
        const { Body } = await client.send(new GetObjectCommand(request));
        return Body as Readable;
      } catch (error) {
        if (error instanceof Error && error.name === "NoSuchKey") return null;
        throw toStorageUnavailable(error);
      }
    },

    async remove(key) {
      const object = toObject(key);
      await client.send(new DeleteObjectCommand(object)).catch(throwUnavailable);
    },

    // The bucket's lifecycle rule does this (docs/files.md).
    sweep: () => Promise.resolve(),

    // A bucket has no size limit.
    checkRoom: () => Promise.resolve(),

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch(throwUnavailable);
    },
  };
}

const toStorageUnavailable = (cause: unknown) => new StorageUnavailable("The storage does not respond.", { cause });

function throwUnavailable(cause: unknown): never {
  throw toStorageUnavailable(cause);
}
