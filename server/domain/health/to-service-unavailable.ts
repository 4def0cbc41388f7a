import { AppError } from "../../errors";
import { isDatabaseUnavailable } from "./is-database-unavailable";
import { isStorageUnavailable } from "./is-storage-unavailable";

/** Returns the 503 `service_unavailable` for an error that says the database or the storage is away; null for any other. */
export function toServiceUnavailable(error: unknown): AppError | null {
  const reason = isStorageUnavailable(error)
    ? error.message
    : isDatabaseUnavailable(error)
      ? "The database is away."
      : null;
  if (reason === null) return null;
  const unavailable = new AppError("service_unavailable", `${reason} Try again soon.`, {}, { "Retry-After": "2" });
  // For the log alone: answers never show a cause.
  return Object.assign(unavailable, { cause: error });
}
