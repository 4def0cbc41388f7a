import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Env } from "../env";
import { openDiskStorage } from "./disk";
import type { S3Settings } from "./s3";
import type { Storage } from "./storage";

/** Opens the configured storage: an S3 bucket if one is set, else the folder `files` of the data directory. */
export async function openStorage(env: Env): Promise<Storage> {
  const settings = readS3Settings(env);
  if (settings) {
    // Imported on demand: the SDK is large, and most hubs do not need it.
    const { openS3Storage } = await import("./s3");
    return openS3Storage(settings);
  }
  const folder = path.join(env.HUB_DATA_DIR, "files");
  // The data directory may be readable by the user `postgres`; customers' files must not be.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return openDiskStorage(folder);
}

/** Returns the settings of the bucket; null if files are on the disk. */
export function readS3Settings(env: Env): S3Settings | null {
  if (!env.STORAGE_S3_BUCKET) return null;
  const { STORAGE_S3_ACCESS_KEY_ID: accessKeyId, STORAGE_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return {
    bucket: env.STORAGE_S3_BUCKET,
    endpoint: env.STORAGE_S3_ENDPOINT,
    region: env.STORAGE_S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: env.STORAGE_S3_FORCE_PATH_STYLE === "on",
    prefix: env.STORAGE_S3_PREFIX,
  };
}
