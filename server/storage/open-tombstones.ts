import path from "node:path";
import type { Env } from "../env";
import { readS3Settings } from "./open-storage";
import { openTombstoneFolder } from "./tombstone-folder";
import { openTombstoneLog, type Tombstones } from "./tombstones";

/**
 * Opens the tombstones where the settings say: in the folder `TOMBSTONES_PATH`, else in the bucket of the files, else in the
 * folder `tombstones` of the data directory, which the operator has to copy to restore a backup. Creates nothing yet.
 */
export async function openTombstones(env: Env): Promise<Tombstones> {
  const settings = readS3Settings(env);
  if (env.TOMBSTONES_PATH || !settings)
    return openTombstoneLog(openTombstoneFolder(env.TOMBSTONES_PATH ?? path.join(env.HUB_DATA_DIR, "tombstones")));
  const { openTombstoneBucket } = await import("./tombstone-bucket");
  return openTombstoneLog(openTombstoneBucket(settings));
}

/** Describes where tombstones are, for messages to operators. */
export const describeTombstones = (env: Env): string =>
  env.TOMBSTONES_PATH ?? (readS3Settings(env) ? "the bucket" : path.join(env.HUB_DATA_DIR, "tombstones"));
