import type { Readable } from "node:stream";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { incompleteContent, readExactly } from "./read-exactly";
import { rejectionName, type S3Object, sendBounded } from "./s3-request";
import type { ByteRange } from "./storage";

/** Opens an object or a range of it, as `Storage.open` does. */
export async function getObject(
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
