import type { Route } from "../../catalogue/model";
import type { ChatCall, ChatState, FailedChat } from "../../providers/chat-call";
import type { FailureCause } from "../../providers/failure";
import type { Provider } from "../../providers/provider";
import { type ExposureHub, showCompletion } from "../exposure";
import { type AttemptRecord, type PassedOverRoute, type RouteReason, toPassedOver } from "../generations/attempts";
import { annotateAnswer, classifyAttempt, runInProviderSpan } from "../metrics";
import { claimTrial, type RouteFailure } from "../routing";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";

/** The last call's state and the attempts of all calls; `S` is the state of a whole completion or of a stream. */
export interface CallOutcome<S extends AnyState = ChatState> {
  state: S;
  attempts: AttemptRecord[];
}

export interface AnyState {
  state: string;
  upstreamStatus?: number;
}

export type RouteBody = Pick<ChatCall, "dialect" | "body" | "text" | "headers">;

interface ProviderCalls {
  routes: Route[];
  /** Why the first of them comes first. */
  reason: RouteReason;
  bodyFor: (route: Route) => RouteBody | Promise<RouteBody>;
  /** The members that the calls of all routes share. */
  request: Omit<ChatCall, keyof RouteBody | "route" | "traceHeaders">;
}

export type CallMethod<S> = (provider: Provider, chat: ChatCall, signal: AbortSignal) => Promise<S>;

/** Returns the method that completes a chat as a whole. */
export const completeMethod =
  ({ exposure }: ExposureHub): CallMethod<ChatState> =>
  async (provider, chat, signal) => {
    const state = await provider.chat!(chat, signal);
    return state.state === "failed" ? state : { ...state, completion: showCompletion(exposure, state.completion) };
  };

/**
 * Calls the routes in order until one succeeds or may have done work. Skips routes that cool down, unless all of them do,
 * because a chat cannot wait.
 */
export async function callProviders<S extends AnyState>(
  hub: ChatHub,
  calls: ProviderCalls,
  signal: AbortSignal,
  method: CallMethod<S>,
): Promise<CallOutcome<S | FailedChat>> {
  const isUsable = (route: Route) => canCall(hub, route, calls.request.id);
  const outcome = hub.services.routeHealth.hasOpen() ? await tryRoutes(hub, calls, signal, method, isUsable) : null;
  return outcome ?? (await tryRoutes(hub, calls, signal, method))!;
}

/** Calls the routes that `filter` accepts, by default all. Returns null if there are none. */
async function tryRoutes<S extends AnyState>(
  hub: ChatHub,
  { routes, reason, bodyFor, request }: ProviderCalls,
  signal: AbortSignal,
  method: CallMethod<S>,
  filter?: (route: Route) => Promise<boolean>,
): Promise<CallOutcome<S | FailedChat> | null> {
  const attempts: AttemptRecord[] = [];
  let outcome: CallOutcome<S | FailedChat> | null = null;
  let passedOver: PassedOverRoute[] | undefined;
  for (const route of routes) {
    if (filter && !(await filter(route))) {
      (passedOver ??= []).push(toPassedOver(route, "cooling_down"));
      continue;
    }
    if (outcome) {
      const details = { generation: request.id, route: attempts.at(-1)!.route, status: outcome.state.upstreamStatus };
      hub.log.warn(details, "route rejected the chat, trying the next");
    }
    const startedAt = hub.now();
    const state = await callProvider(hub, { route, ...request, ...(await bodyFor(route)) }, signal, method);
    attempts.push({
      passed_over: passedOver,
      ...recordCall(hub, { n: attempts.length + 1, route, reason, startedAt }, state),
    });
    passedOver = undefined;
    outcome = { state, attempts };
    if (!isFailed(state) || state.started) break;
  }
  return outcome;
}

/** A call of a route by a chat, as its attempt `n`. */
export interface RouteCall {
  n: number;
  route: Route;
  reason: RouteReason;
  startedAt: Date;
}

/**
 * Records the result of a call that has just ended in the health of its route. Returns the call as an attempt; the cost of a
 * successful one is null until it is priced.
 */
export function recordCall(hub: ChatHub, { n, route, reason, startedAt }: RouteCall, state: AnyState): AttemptRecord {
  const failure = isFailed(state) ? describeRouteFailure(state) : null;
  if (failure) hub.services.routeHealth.recordFailure(route, failure, startedAt);
  else hub.services.routeHealth.recordSuccess(route, startedAt);
  return {
    n,
    route: route.id,
    provider: route.provider.kind,
    reason,
    started_at: startedAt,
    ended_at: hub.now(),
    outcome: !failure ? "succeeded" : failure.started ? "failed" : "refused",
    upstream_status: state.upstreamStatus ?? null,
    cost: failure ? "0" : null,
    ...(failure && { code: failure.error.code, cause: failure.cause }),
  };
}

/** Returns whether a route can be called: it is healthy, or this chat is the one that tries it again. */
async function canCall(hub: ChatHub, route: Route, id: string): Promise<boolean> {
  const state = hub.services.routeHealth.check(route.id, id);
  if (state !== "trial") return state === "usable";
  return claimTrial(hub, hub.db, route, id).catch(() => true);
}

async function callProvider<S extends AnyState>(
  hub: ChatHub,
  chat: Omit<ChatCall, "traceHeaders">,
  signal: AbortSignal,
  method: CallMethod<S>,
): Promise<S | FailedChat> {
  const call = async () => {
    const traceHeaders = hub.tracing?.headers();
    const state = await method(hub.providers[chat.route.provider.kind]!, { traceHeaders, ...chat }, signal);
    const errorType = isFailed(state)
      ? classifyAttempt({ ...describeRouteFailure(state), code: state.error.code })
      : "";
    annotateAnswer(hub, { upstreamStatus: state.upstreamStatus, errorType });
    return state;
  };
  try {
    return await runInProviderSpan(hub, "chat", chat.route, call);
  } catch (error) {
    if (error instanceof ChatAborted) return { state: "failed", error: error.failure, started: true };
    throw error;
  }
}

const isFailed = (state: AnyState): state is FailedChat => state.state === "failed";

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
