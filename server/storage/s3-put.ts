import type { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { meterContent } from "./meter";
import { headObject, type S3Object, toUnavailable } from "./s3-request";
import { StorageUnavailable, type Stored } from "./storage";

/** The minimum part size of S3. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Stores an object of at most `limit` bytes, and resolves once the bucket has shown that it has it: by the ETag that S3
 * gives this content, or by its size when it is asked (decision 89). Rejects with the error of the source, and with
 * StorageUnavailable.
 */
export async function putObject(
  client: S3Client,
  object: S3Object,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Stored> {
  const { chunks, sourceError, stored } = meterContent(content, limit);
  const etag = createEtagHash(PART_BYTES);
  const params = { ...object, Body: Readable.from(hashChunks(chunks, etag)) };
  let received: string | undefined;
  try {
    // One part at a time: the memory of many concurrent uploads matters more than the speed of one.
    const { ETag } = await new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done();
    received = ETag?.replaceAll('"', "");
  } catch (error) {
    throw sourceError() ?? toUnavailable(error);
  }
  const result = stored();
  if (received !== etag.digest()) await confirmSize(client, object, result.size);
  return result;
}

async function* hashChunks(chunks: AsyncIterable<Uint8Array>, etag: ReturnType<typeof createEtagHash>) {
  for await (const chunk of chunks) {
    etag.update(chunk);
    yield chunk;
  }
}

async function confirmSize(client: S3Client, object: S3Object, size: number): Promise<void> {
  const head = await headObject(client, object);
  if (head?.ContentLength !== size) throw new StorageUnavailable("The storage does not keep what it is sent.");
}

const md5 = (content: Uint8Array) => createHash("md5").update(content).digest();

/**
 * Computes the ETag that S3 gives content, without quotes: its MD5, or the MD5 of its parts' MD5s and their number when it
 * is larger than one part. Content that is encrypted with keys of a key service has another one.
 */
function createEtagHash(partSize: number) {
  const parts: Buffer[] = [];
  let hash = createHash("md5");
  let size = 0;
  return {
    update(chunk: Uint8Array): void {
      for (let rest = chunk; rest.length > 0;) {
        if (size === partSize) {
          parts.push(hash.digest());
          hash = createHash("md5");
          size = 0;
        }
        const piece = rest.subarray(0, partSize - size);
        hash.update(piece);
        size += piece.length;
        rest = rest.subarray(piece.length);
      }
    },
    digest(): string {
      const last = hash.digest();
      if (parts.length === 0) return last.toString("hex");
      return `${md5(Buffer.concat([...parts, last])).toString("hex")}-${parts.length + 1}`;
    },
  };
}
