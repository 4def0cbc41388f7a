/** The storage cannot do its work right now, for the reason in `cause`. The message may be shown to customers. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageAway";
}
