import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import type { ChatCall, ChatState } from "../../providers/chat-call";
import { type AttemptRecord, type PassedOverRoute, toPassedOver } from "../generations/attempts";
import { claimTrial } from "../routing/stored-route-health";
import { describeRouteFailure } from "./describe-route-failure";
import { ChatAborted } from "./in-flight";

export interface CallOutcome {
  state: ChatState;
  attempts: AttemptRecord[];
}

interface ProviderCalls {
  routes: Route[];
  bodyFor: (route: Route) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** The members that all routes share. */
  request: Omit<ChatCall, "body" | "route">;
}

/**
 * Calls the routes in order until one succeeds or may have done work, without those that cool down unless all of them do: a
 * chat cannot wait. Returns the last route's state and all attempts. The cost of a successful attempt is null, because it
 * is priced later.
 */
export async function callProviders(hub: Hub, calls: ProviderCalls, signal: AbortSignal): Promise<CallOutcome> {
  const hasOpen = hub.services.routeHealth.hasOpen();
  const outcome = hasOpen
    ? await callRoutes(hub, calls, signal, (route) => canCall(hub, route, calls.request.id))
    : null;
  const last = outcome ?? (await callRoutes(hub, calls, signal));
  if (!last) throw new Error("a chat without a route");
  return last;
}

/** Calls the routes that `filter` lets through, by default all. Returns null if there are none. */
async function callRoutes(
  hub: Hub,
  { routes, bodyFor, request }: ProviderCalls,
  signal: AbortSignal,
  filter?: (route: Route) => Promise<boolean>,
): Promise<CallOutcome | null> {
  const { routeHealth } = hub.services;
  const attempts: AttemptRecord[] = [];
  let outcome: CallOutcome | null = null;
  let passedOver: PassedOverRoute[] | undefined;
  for (const route of routes) {
    if (filter && !(await filter(route))) {
      (passedOver ??= []).push(toPassedOver(route, "cooling_down"));
      continue;
    }
    if (outcome) logNextRoute(hub, request.id, outcome);
    const startedAt = hub.now();
    const state = await callProvider(hub, { ...request, body: await bodyFor(route), route }, signal);
    const attempt = toAttemptRecord(attempts.length + 1, route, state, [startedAt, hub.now()]);
    attempts.push({ ...attempt, passed_over: passedOver });
    passedOver = undefined;
    outcome = { state, attempts };
    if (state.state === "succeeded") routeHealth.recordSuccess(route, startedAt);
    else routeHealth.recordFailure(route, describeRouteFailure(state), startedAt);
    if (state.state === "succeeded" || state.started) break;
  }
  return outcome;
}

function logNextRoute({ log }: Hub, generation: string, { state, attempts }: CallOutcome): void {
  const route = attempts.at(-1)!.route;
  log.warn({ generation, route, status: state.upstreamStatus }, "route rejected the chat, trying the next");
}

/** Returns whether a route can be called: it works, or this chat is the one that tries whether it works again. */
async function canCall(hub: Hub, route: Route, id: string): Promise<boolean> {
  const state = hub.services.routeHealth.check(route.id, id);
  if (state !== "trial") return state === "usable";
  return claimTrial(hub, hub.db, route, id).catch(() => true);
}

async function callProvider(hub: Hub, chat: ChatCall, signal: AbortSignal): Promise<ChatState> {
  try {
    return await hub.providers[chat.route.provider.kind]!.chat!(chat, signal);
  } catch (error) {
    if (error instanceof ChatAborted) return { state: "failed", error: error.failure, started: true };
    throw error;
  }
}

const toAttemptRecord = (n: number, route: Route, state: ChatState, [from, to]: [Date, Date]): AttemptRecord => ({
  n,
  route: route.id,
  provider: route.provider.kind,
  started_at: from,
  ended_at: to,
  outcome: state.state === "succeeded" ? "succeeded" : state.started ? "failed" : "refused",
  upstream_status: state.upstreamStatus ?? null,
  cost: state.state === "succeeded" ? null : "0",
});
