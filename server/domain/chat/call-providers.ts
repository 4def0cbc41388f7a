import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import type { ChatCall, ChatState } from "../../providers/provider";
import type { AttemptRecord } from "../generations/attempts";
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
 * Calls the routes in order until one succeeds or may have done work. Returns the last route's state and all attempts.
 * The cost of a successful attempt is null, because it is priced later.
 */
export async function callProviders(
  hub: Hub,
  { routes, bodyFor, request }: ProviderCalls,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const attempts: AttemptRecord[] = [];
  for (const [index, route] of routes.entries()) {
    const startedAt = hub.now();
    const state = await callProvider(hub, { ...request, body: await bodyFor(route), route }, signal);
    attempts.push(toAttemptRecord(index + 1, route, state, [startedAt, hub.now()]));
    const isLast = index === routes.length - 1;
    if (state.state === "succeeded" || state.started || isLast) return { state, attempts };
    hub.log.warn(
      { generation: request.id, route: route.id, status: state.upstreamStatus },
      "route rejected the chat, trying the next",
    );
  }
  throw new Error("a chat without a route");
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
