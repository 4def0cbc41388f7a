import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Env } from "../env";
import { openDiskStorage } from "./disk";
import type { Storage } from "./storage";

/** The storage of the settings: a bucket when they name one, else the folder `files` of the data directory. */
export async function openStorage(env: Env): Promise<Storage> {
  if (env.STORAGE_S3_BUCKET) {
    // The SDK is large, and most hubs never need it.
    const { openS3Storage } = await import("./s3");
    const { STORAGE_S3_ACCESS_KEY_ID: accessKeyId, STORAGE_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
    return openS3Storage({
      bucket: env.STORAGE_S3_BUCKET,
      endpoint: env.STORAGE_S3_ENDPOINT,
      region: env.STORAGE_S3_REGION,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
      forcePathStyle: env.STORAGE_S3_FORCE_PATH_STYLE === "on",
      prefix: env.STORAGE_S3_PREFIX,
    });
  }
  const folder = path.join(env.HUB_DATA_DIR, "files");
  // The data directory itself may have to let the user `postgres` pass; what customers own is not for it.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return openDiskStorage(folder);
}
