import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { createReachability } from "./reachability";
import { incompleteContent, readExactly } from "./read-exactly";
import { openDirectAccess } from "./s3-direct";
import { putObject } from "./s3-put";
import { headObject, rejectionName, type S3Object, sendBounded } from "./s3-request";
import { type ByteRange, checkKey, type Storage, StorageUnavailable } from "./storage";

export interface S3Settings {
  bucket: string;
  endpoint?: string;
  region: string;
  /** Omit to use the SDK's default credential chain. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  forcePathStyle: boolean;
  prefix: string;
  /** How long the bucket may pause within content that is being read; by default what `readExactly` allows. */
  silenceMs?: number;
}

const MAX_CONNECTIONS = 200;

/**
 * Opens a storage in an S3-compatible bucket, one object per key. The endpoint comes from the operator, so it may be a
 * private address. A lifecycle rule of the bucket must remove multipart uploads that a crash leaves behind.
 */
export function openS3Storage({ bucket, prefix, silenceMs, ...settings }: S3Settings): Storage {
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
  const toObject = (key: string): S3Object => ({ Bucket: bucket, Key: prefix + checkKey(key) });
  const toStaged = (id: string): S3Object => ({ Bucket: bucket, Key: `${prefix}incoming/${checkKey(id)}` });
  const removeObject = async (object: S3Object) => {
    await sendBounded((options) => client.send(new DeleteObjectCommand(object), options));
  };
  const checkBucket = async () => {
    await sendBounded((options) => client.send(new HeadBucketCommand({ Bucket: bucket }), options));
  };
  const reachability = createReachability(async (isAway) => {
    if (!isAway) return checkBucket();
    const probe = toStaged(randomUUID());
    await putObject(client, probe, Readable.from([Buffer.from("probe")]), Infinity);
    await removeObject(probe);
  });

  return {
    direct: openDirectAccess({ client, toObject, toStaged }),

    async put(key, content, limit = Infinity) {
      const object = toObject(key);
      try {
        const stored = await putObject(client, object, content, limit);
        reachability.record(true);
        return stored;
      } catch (error) {
        if (error instanceof StorageUnavailable) reachability.record(false);
        throw error;
      }
    },

    open: async (key, range, size) => getObject(client, toObject(key), { range, size, silenceMs }),

    async describe(key) {
      const head = await headObject(client, toObject(key));
      if (!head) return null;
      const { ContentLength: size, ChecksumSHA256: checksum, ChecksumType: type } = head;
      // The checksum of a multipart upload is not that of the content.
      const isWhole = checksum !== undefined && type !== "COMPOSITE" && !checksum.includes("-");
      return { size, sha256: isWhole ? Buffer.from(checksum, "base64") : null };
    },

    remove: async (key) => removeObject(toObject(key)),

    // The bucket's lifecycle rule does this (docs/files.md).
    sweep: () => Promise.resolve(),

    // A bucket has no size limit, but it may be unreachable.
    checkRoom: async () => reachability.check(),

    check: checkBucket,
  };
}

/** Opens an object or a range of it, as `Storage.open` does. */
async function getObject(
  client: S3Client,
  object: S3Object,
  { range, size, silenceMs }: { range?: ByteRange; size?: number; silenceMs?: number },
): Promise<Readable | null> {
  const command = new GetObjectCommand({ ...object, ...(range && { Range: `bytes=${range.start}-${range.end}` }) });
  const response = await sendBounded((options) => client.send(command, options)).catch((error: Error) => {
    if (rejectionName(error) === "NoSuchKey") return null;
    throw error;
  });
  if (!response) return null;
  const { Body, ContentLength, ETag } = response;
  const body = Body as Readable;
  const expected = range ? range.end - range.start + 1 : (size ?? ContentLength);
  // A proxy's error page has no ETag, or another length.
  if (ETag && expected !== undefined && ContentLength === expected) return readExactly(body, expected, silenceMs);
  body.on("error", () => undefined).destroy();
  throw incompleteContent();
}
