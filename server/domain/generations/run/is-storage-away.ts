import { isStorageUnavailable } from "../../../lib/is-unavailable";
import type { RunHub } from "./hub";

/** Returns whether the storage is known to be unavailable or full, so that nothing is bought or downloaded in vain. */
export async function isStorageAway({ storage }: RunHub): Promise<boolean> {
  try {
    await storage.checkRoom();
    return false;
  } catch (error) {
    if (isStorageUnavailable(error)) return true;
    throw error;
  }
}
