/** Thrown when the storage is full or unreachable; the reason is in `cause`. The message may be shown to customers. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
}
