import { type HeadObjectCommandOutput, HeadObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { withTimeout } from "../lib/with-timeout";
import { StorageUnavailable } from "./storage";

/** Where an object is. */
export interface S3Object {
  Bucket: string;
  Key: string;
}

/** How long a request may take, with all its retries; content that it sends or receives takes its own time. */
const MAX_REQUEST_MS = 20_000;

/** Returns the error of a bucket that does not respond or rejects the hub. */
export const toUnavailable = (cause: unknown) => new StorageUnavailable("The storage does not respond.", { cause });

/** Sends a request. Rejects with StorageUnavailable, also when there is no response within twenty seconds. */
export async function sendBounded<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
  try {
    return await withTimeout(MAX_REQUEST_MS, undefined, (abortSignal) => send({ abortSignal }));
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Returns the name of the error by which a bucket has rejected a request. */
export const rejectionName = ({ cause }: Error): string => (cause instanceof Error ? cause.name : "");

type ObjectHead = HeadObjectCommandOutput & { ContentLength: number; ETag: string };

/** Returns what the bucket says about an object; null when there is none. Rejects with StorageUnavailable. */
export async function headObject(client: S3Client, object: S3Object): Promise<ObjectHead | null> {
  const command = new HeadObjectCommand({ ...object, ChecksumMode: "ENABLED" });
  const head = await sendBounded((options) => client.send(command, options)).catch((error: Error) => {
    if (rejectionName(error) === "NotFound") return null;
    throw error;
  });
  if (head === null) return null;
  const { ContentLength, ETag } = head;
  // Every storage sends both; a proxy that responds to everything does not.
  if (ContentLength === undefined || !ETag) throw toUnavailable(new Error("HEAD has no ETag or no length"));
  return { ...head, ContentLength, ETag };
}
