import type { FilesHub } from "./hub";
import { storageKeys } from "./thumbnail";

/** Removes the content of a file and its thumbnails from the storage; succeeds when they do not exist. */
export async function removeContent({ storage }: FilesHub, id: string): Promise<void> {
  await Promise.all(storageKeys(id).map((key) => storage.remove(key)));
}
