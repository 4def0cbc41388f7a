import { AppError } from "../../errors";
import { isDatabaseUnavailable, isStorageUnavailable } from "../../lib/is-unavailable";
import { isPaymentUnavailable } from "../../payments/provider";
import { withErrorType } from "../metrics";

/**
 * Returns a 503 for an error which says that the database, the storage or the payment provider is unavailable; null for
 * others.
 */
export function toServiceUnavailable(error: unknown): AppError | null {
  const reason = isStorageUnavailable(error)
    ? error.message
    : isDatabaseUnavailable(error)
      ? "The database is unavailable."
      : isPaymentUnavailable(error)
        ? "The payment provider does not respond as it should."
        : null;
  if (reason === null) return null;
  const unavailable = new AppError("service_unavailable", `${reason} Try again soon.`, {}, { "Retry-After": "2" });
  if (isStorageUnavailable(error)) withErrorType(unavailable, "hub_storage");
  // The cause is logged and never sent in a response.
  return Object.assign(unavailable, { cause: error });
}
