import { AppError } from "../../errors";
import { isDatabaseUnavailable, isStorageUnavailable } from "../../lib/is-unavailable";
import { withErrorType } from "../metrics/error-type";

/** Returns a 503 `service_unavailable` for an error that means the database or the storage is unavailable; else null. */
export function toServiceUnavailable(error: unknown): AppError | null {
  const reason = isStorageUnavailable(error)
    ? error.message
    : isDatabaseUnavailable(error)
      ? "The database is unavailable."
      : null;
  if (reason === null) return null;
  const unavailable = new AppError("service_unavailable", `${reason} Try again soon.`, {}, { "Retry-After": "2" });
  if (isStorageUnavailable(error)) withErrorType(unavailable, "hub_storage");
  // The cause is logged and never sent in a response.
  return Object.assign(unavailable, { cause: error });
}
