import type { Route } from "../../catalogue/model";
import type { ChatCall, ChatState, FailedChat } from "../../providers/chat-call";
import type { Provider } from "../../providers/provider";
import { type AttemptRecord, type PassedOverRoute, toPassedOver } from "../generations/attempts";
import { annotateAnswer, classifyAttempt, runInProviderSpan } from "../metrics";
import { claimTrial } from "../routing";
import { describeRouteFailure } from "./describe-route-failure";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";

/** `S` is the state of a whole completion or of a stream. */
export interface CallOutcome<S extends AnyState = ChatState> {
  state: S;
  attempts: AttemptRecord[];
}

export interface AnyState {
  state: string;
  upstreamStatus?: number;
}

type RouteBody = Pick<ChatCall, "body" | "text">;

interface ProviderCalls {
  routes: Route[];
  bodyFor: (route: Route) => RouteBody | Promise<RouteBody>;
  /** The members that all routes share. */
  request: Omit<ChatCall, "body" | "text" | "route">;
}

export type CallMethod<S> = (provider: Provider, chat: ChatCall, signal: AbortSignal) => Promise<S>;

export const completeMethod: CallMethod<ChatState> = (provider, chat, signal) => provider.chat!(chat, signal);

/**
 * Calls the routes in order until one succeeds or may have done work, without those that cool down unless all of them do: a
 * chat cannot wait. Returns the last route's state and all attempts. The cost of a successful attempt is null, because it
 * is priced later.
 */
export async function callProviders<S extends AnyState>(
  hub: ChatHub,
  calls: ProviderCalls,
  signal: AbortSignal,
  method: CallMethod<S>,
): Promise<CallOutcome<S | FailedChat>> {
  const hasOpen = hub.services.routeHealth.hasOpen();
  const outcome = hasOpen
    ? await callRoutes(hub, calls, signal, method, (route) => canCall(hub, route, calls.request.id))
    : null;
  const last = outcome ?? (await callRoutes(hub, calls, signal, method));
  if (!last) throw new Error("a chat without a route");
  return last;
}

/** Calls the routes that `filter` lets through, by default all. Returns null if there are none. */
async function callRoutes<S extends AnyState>(
  hub: ChatHub,
  { routes, bodyFor, request }: ProviderCalls,
  signal: AbortSignal,
  method: CallMethod<S>,
  filter?: (route: Route) => Promise<boolean>,
): Promise<CallOutcome<S | FailedChat> | null> {
  const { routeHealth } = hub.services;
  const attempts: AttemptRecord[] = [];
  let outcome: CallOutcome<S | FailedChat> | null = null;
  let passedOver: PassedOverRoute[] | undefined;
  for (const route of routes) {
    if (filter && !(await filter(route))) {
      (passedOver ??= []).push(toPassedOver(route, "cooling_down"));
      continue;
    }
    if (outcome) logNextRoute(hub, request.id, outcome);
    const startedAt = hub.now();
    const state = await callProvider(hub, { ...request, ...(await bodyFor(route)), route }, signal, method);
    const attempt = toAttemptRecord(attempts.length + 1, route, state, [startedAt, hub.now()]);
    const why = isFailed(state) ? { code: state.error.code, cause: describeRouteFailure(state).cause } : {};
    attempts.push({ ...attempt, ...why, passed_over: passedOver });
    passedOver = undefined;
    outcome = { state, attempts };
    if (!isFailed(state)) {
      routeHealth.recordSuccess(route, startedAt);
      break;
    }
    routeHealth.recordFailure(route, describeRouteFailure(state), startedAt);
    if (state.started) break;
  }
  return outcome;
}

function logNextRoute({ log }: ChatHub, generation: string, { state, attempts }: CallOutcome<AnyState>): void {
  const route = attempts.at(-1)!.route;
  log.warn({ generation, route, status: state.upstreamStatus }, "route rejected the chat, trying the next");
}

/** Returns whether a route can be called: it works, or this chat is the one that tries whether it works again. */
async function canCall(hub: ChatHub, route: Route, id: string): Promise<boolean> {
  const state = hub.services.routeHealth.check(route.id, id);
  if (state !== "trial") return state === "usable";
  return claimTrial(hub, hub.db, route, id).catch(() => true);
}

async function callProvider<S extends AnyState>(
  hub: ChatHub,
  chat: ChatCall,
  signal: AbortSignal,
  method: CallMethod<S>,
): Promise<S | FailedChat> {
  const call = async () => {
    const traceHeaders = hub.tracing?.headers();
    const state = await method(hub.providers[chat.route.provider.kind]!, { ...chat, traceHeaders }, signal);
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

const toAttemptRecord = (n: number, route: Route, state: AnyState, [from, to]: [Date, Date]): AttemptRecord => ({
  n,
  route: route.id,
  provider: route.provider.kind,
  started_at: from,
  ended_at: to,
  outcome: !isFailed(state) ? "succeeded" : state.started ? "failed" : "refused",
  upstream_status: state.upstreamStatus ?? null,
  cost: isFailed(state) ? "0" : null,
});
