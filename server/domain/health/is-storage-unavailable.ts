/**
 * Returns whether an error means that the file storage is full or unreachable. Compared by name: the class exists twice,
 * because Next bundles a second module graph into the process.
 */
export const isStorageUnavailable = (error: unknown): error is Error =>
  error instanceof Error && error.name === "StorageUnavailable";
