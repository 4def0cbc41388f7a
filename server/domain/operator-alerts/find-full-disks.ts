import { stat } from "node:fs/promises";
import path from "node:path";
import { measureDisk } from "../../storage/free-bytes";
import type { Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

const GIBIBYTE = 1024 ** 3;
/** The free share below which a disk is nearly full, within bounds for small and large disks. */
const MIN_FREE_SHARE = 0.05;
const MIN_FREE_BYTES = GIBIBYTE;
const MAX_FREE_BYTES = 20 * GIBIBYTE;
/** How much more must be free before the alert is over. */
const MARGIN = 1.25;

/** Returns the disks of this machine that are nearly full: those of the files and of the embedded Postgres. */
export async function findFullDisks({ env }: Pick<OperatorAlertsHub, "env">): Promise<Finding[]> {
  const folders = [
    ...(env.embedded ? [env.HUB_DATA_DIR] : []),
    ...(env.STORAGE_S3_BUCKET ? [] : [path.join(env.HUB_DATA_DIR, "files")]),
  ];
  const measured = await Promise.all(folders.map(measureFolder));
  const byDevice = new Map(measured.flatMap((disk) => (disk ? [[disk.device, disk]] : [])));
  return [...byDevice.values()].flatMap(({ folder, freeBytes, totalBytes }) => {
    const enough = Math.min(MAX_FREE_BYTES, Math.max(MIN_FREE_BYTES, totalBytes * MIN_FREE_SHARE));
    if (freeBytes >= enough * MARGIN) return [];
    const detail = `${(freeBytes / GIBIBYTE).toFixed(2)} of ${(totalBytes / GIBIBYTE).toFixed(2)} GiB are free`;
    return [{ name: "disk.nearly_full", subject: folder, detail, isRaised: freeBytes < enough }];
  });
}

/** Returns the disk of a folder; null if it cannot be read, which /api/v1/ready reports. */
async function measureFolder(folder: string) {
  try {
    const [{ dev: device }, sizes] = await Promise.all([stat(folder), measureDisk(folder)]);
    return { folder, device, ...sizes };
  } catch {
    return null;
  }
}
