import type { Hub } from "@/server/context";
import { isDatabaseAway } from "@/server/domain/health/is-database-away";
import { AppError, errorTable, isAppError } from "@/server/errors";

/** Returns the answer to a sign-in that failed other than by a wrong password: JSON, without any inner detail. */
export function authFailure(hub: Hub, thrown: unknown): Response {
  const error = isAppError(thrown) ? thrown : fault(hub, thrown);
  const url = `${hub.env.BASE_URL}/sign-in?error=${error.code === "rate_limited" ? "limited" : "failed"}`;
  return Response.json({ message: error.message, url }, { status: error.status, headers: error.headers });
}

function fault(hub: Hub, thrown: unknown): AppError {
  hub.log.error({ err: thrown }, "a sign-in failed");
  if (isDatabaseAway(thrown)) {
    return new AppError("service_unavailable", "The database is away. Try again soon.", {}, { "Retry-After": "2" });
  }
  return new AppError("internal_error", errorTable.internal_error.title);
}
