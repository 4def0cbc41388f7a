import path from "node:path";
import { measureDisk } from "../../storage/free-bytes";
import type { ExportsHub } from "./hub";
import { ExportFailed } from "./run";

/** What an export leaves free on the disk, so that generations can still store their outputs. */
const MIN_FREE_SHARE = 0.1;
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** Throws ExportFailed if the disk of the files is nearly full. A bucket has no such limit. */
export async function checkRoom({ env }: ExportsHub): Promise<void> {
  if (env.STORAGE_S3_BUCKET) return;
  const { freeBytes, totalBytes } = await measureDisk(path.join(env.HUB_DATA_DIR, "files"));
  if (freeBytes < Math.min(totalBytes * MIN_FREE_SHARE, MIN_FREE_BYTES))
    throw new ExportFailed("This hub has too little space for the archive. Ask its operator.");
}
