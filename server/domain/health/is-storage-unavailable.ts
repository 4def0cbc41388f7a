/** Whether something failed because the storage of files is full or cannot be reached. Told by name: two module graphs share a process. */
export const isStorageUnavailable = (error: unknown): error is Error =>
  error instanceof Error && error.name === "StorageAway";
