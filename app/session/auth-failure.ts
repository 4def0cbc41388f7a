import type { Hub } from "@/server/context";
import { toServiceUnavailable } from "@/server/domain/health/to-service-unavailable";
import { AppError, errorTable, isAppError } from "@/server/errors";

/** Returns the answer to a sign-in that failed other than by a wrong password: JSON, without any inner detail. */
export function authFailure(hub: Hub, thrown: unknown): Response {
  const error = isAppError(thrown) ? thrown : toInternalError(hub, thrown);
  const url = `${hub.env.BASE_URL}/sign-in?error=${error.code === "rate_limited" ? "limited" : "failed"}`;
  return Response.json({ message: error.message, url }, { status: error.status, headers: error.headers });
}

function toInternalError(hub: Hub, thrown: unknown): AppError {
  hub.log.error({ err: thrown }, "a sign-in failed");
  return toServiceUnavailable(thrown) ?? new AppError("internal_error", errorTable.internal_error.title);
}
