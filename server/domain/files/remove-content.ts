import type { Hub } from "../../context";
import { storageKeys } from "./thumbnail";

/** Removes the content of a file and its thumbnails from the storage; succeeds when they do not exist. */
export async function removeContent({ storage }: Hub, id: string): Promise<void> {
  await Promise.all(storageKeys(id).map((key) => storage.remove(key)));
}
