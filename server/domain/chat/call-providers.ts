import type { Route } from "../../catalogue/model";
import type { ChatCall, ChatState, FailedChat } from "../../providers/chat-call";
import type { Provider } from "../../providers/provider";
import { type ExposureHub, showCompletion } from "../exposure";
import { annotateAnswer, classifyAttempt, runInProviderSpan } from "../metrics";
import { claimTrial } from "../routing";
import { type AnyState, callInTurn, type CallOutcome, type CallPlan } from "./call-in-turn";
import { describeRouteFailure, isFailed } from "./describe-route-failure";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";

export type RouteBody = Pick<ChatCall, "dialect" | "body" | "text" | "headers">;

interface ProviderCalls extends CallPlan {
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

/** Calls the routes of a chat, those that cool down only if no other was called, because a chat cannot wait. */
export async function callProviders<S extends AnyState>(
  hub: ChatHub,
  calls: ProviderCalls,
  signal: AbortSignal,
  method: CallMethod<S>,
): Promise<CallOutcome<S | FailedChat>> {
  const { bodyFor, request } = calls;
  const call = async (route: Route) =>
    callProvider(hub, { route, ...request, ...(await bodyFor(route)) }, signal, method);
  if (hub.services.routeHealth.hasOpen()) {
    const outcome = await callInTurn(hub, calls, signal, call, (route) => canCall(hub, route, request.id));
    if (outcome.attempts.length > 0) return outcome;
  }
  return callInTurn(hub, calls, signal, call);
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
