import type { FailedChat } from "../../providers/chat-call";
import type { FailureCause } from "../../providers/failure";
import type { RouteFailure } from "../routing";

/** Returns whether a call has failed. */
export const isFailed = (state: { state: string }): state is FailedChat => state.state === "failed";

/** Returns what a failed chat says about its route: the cause by which the route may be avoided for a while. */
export const describeRouteFailure = (state: FailedChat): FailedChat & RouteFailure => ({
  ...state,
  cause: state.cause ?? findCause(state),
});

// 403 and 404 are missing, because servers also send them for a single chat: one that a moderator flags, or that needs what the
// model cannot do.
const causes = new Map<number, FailureCause>([
  ...[401, 402].map((status) => [status, "account"] as const),
  ...[429, 503, 529].map((status) => [status, "capacity"] as const),
]);

function findCause({ upstreamStatus, error }: FailedChat): FailureCause {
  // Without a status there was no connection or no complete response, or the hub itself stopped the chat (`internal_error`).
  if (upstreamStatus === undefined)
    return ["provider_refused", "provider_error", "timeout"].includes(error.code) ? "outage" : "job";
  const isOutage = upstreamStatus >= 500 || upstreamStatus === 408 || upstreamStatus === 200;
  return causes.get(upstreamStatus) ?? (isOutage ? "outage" : "job");
}
