import type { Route } from "../../catalogue/model";
import type { ChatState, FailedChat } from "../../providers/chat-call";
import { type AttemptRecord, type PassedOverRoute, type RouteReason, toPassedOver } from "../generations/attempts";
import type { Generation } from "../generations/row";
import { releaseChatPlace, takeChatPlace } from "../generations/run";
import { hasLimits, releaseTrial } from "../routing";
import { describeRouteFailure, isFailed } from "./describe-route-failure";
import type { ChatHub } from "./hub";

/** The routes that a chat may call, in their order. */
export interface CallPlan {
  routes: Route[];
  /** Why the first of them comes first. */
  reason: RouteReason;
  generation: Pick<Generation, "id" | "estimated_cost">;
}

/** The last call's state and the attempts of all calls; `S` is the state of a whole completion or of a stream. */
export interface CallOutcome<S extends AnyState = ChatState> {
  state: S;
  attempts: AttemptRecord[];
}

export interface AnyState {
  state: string;
  upstreamStatus?: number;
}

/**
 * Calls the routes that `filter` accepts, by default all, one after the other until one succeeds or `mayCallNext` forbids another
 * call. Skips those whose provider has reached a limit.
 */
export async function callInTurn<S extends AnyState>(
  hub: ChatHub,
  { routes, reason, generation }: CallPlan,
  signal: AbortSignal,
  call: (route: Route) => Promise<S | FailedChat>,
  filter?: (route: Route) => Promise<boolean>,
): Promise<CallOutcome<S | FailedChat>> {
  const outcome: CallOutcome<S | FailedChat> = { state: noPlace, attempts: [] };
  const { attempts } = outcome;
  let passedOver: PassedOverRoute[] = [];
  for (const route of routes) {
    const isUsable = !filter || (await filter(route));
    const opened = isUsable ? await openCall(hub, generation, { route, reason, attempts, passedOver }) : "cooling_down";
    if (typeof opened === "string") {
      passedOver.push(toPassedOver(route, opened));
      continue;
    }
    passedOver = [];
    const state = await call(route);
    attempts.push(recordCall(hub, opened, state));
    outcome.state = state;
    if (!isFailed(state) || signal.aborted || !mayCallNext(route, state, attempts)) break;
  }
  return outcome;
}

/** The state of a chat that called no route, because all providers have reached their limits. */
const noPlace: FailedChat = {
  state: "failed",
  started: false,
  cause: "job",
  error: { code: "provider_refused", message: "The providers of this model are at their limits.", retryable: true },
};

/** The attempts of a chat so far, and the route that it calls next. */
interface NextCall {
  route: Route;
  /** Why the first route came first. */
  reason: RouteReason;
  attempts: AttemptRecord[];
  /** The routes that were not tried since the last call. */
  passedOver: PassedOverRoute[];
}

/**
 * Begins a call: releases the place at the previous provider, and takes one at this provider if it has limits. Returns the call,
 * or why it cannot be made.
 */
async function openCall(
  hub: ChatHub,
  generation: Pick<Generation, "id" | "estimated_cost">,
  { route, reason: first, attempts, passedOver }: NextCall,
): Promise<RouteCall | "at_capacity" | "over_budget"> {
  const { id } = generation;
  const last = attempts.at(-1);
  if (last?.held === "open") await releaseChatPlace(hub, id, last);
  const n = attempts.length + 1;
  const reason = attempts.some(({ outcome }) => outcome === "lost") ? "bought_again" : first;
  const isHeld = hasLimits(route.provider);
  const obstacle = isHeld ? await takeChatPlace(hub, generation, { n, route, reason, passedOver }) : null;
  if (obstacle) {
    if (hub.services.routeHealth.hasOpen()) await releaseTrial(hub, hub.db, route, id);
    return obstacle;
  }
  if (last) {
    const details = { generation: id, route: last.route, status: last.upstream_status };
    hub.log.warn(details, "route failed; trying the next route");
  }
  return { n, route, reason, passedOver, isHeld, startedAt: hub.now() };
}

/**
 * Returns whether a failed chat may call its next route: the provider did no work, or the operator has chosen to buy again.
 * An answer that was lost is bought again only once; its attempt is marked as lost, because it may have been billed.
 */
function mayCallNext({ onUnknown, onError }: Route, state: FailedChat, attempts: AttemptRecord[]): boolean {
  const { started, upstreamStatus, error } = state;
  if (!started) return true;
  if (upstreamStatus !== undefined) return onError === "next" && upstreamStatus >= 500;
  const isUnknown = error.code === "provider_error" || error.code === "timeout";
  if (onUnknown !== "retry" || !isUnknown || attempts.some(({ outcome }) => outcome === "lost")) return false;
  Object.assign(attempts.at(-1)!, { outcome: "lost", cost: null });
  return true;
}

/** A call of a route by a chat, as its attempt `n`. */
interface RouteCall {
  n: number;
  route: Route;
  reason: RouteReason;
  passedOver: PassedOverRoute[];
  /** Whether its attempt is stored already, because it has a place at a provider with limits. */
  isHeld: boolean;
  startedAt: Date;
}

/**
 * Records the result of a call that has just ended in the health of its route. Returns the call as an attempt; the cost of a
 * successful one is null until it is priced.
 */
function recordCall(
  hub: ChatHub,
  { n, route, reason, passedOver, isHeld, startedAt }: RouteCall,
  state: AnyState,
): AttemptRecord {
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
    ...(isHeld && { held: "open" as const }),
    ...(passedOver.length > 0 && { passed_over: passedOver }),
    ...(failure && { code: failure.error.code, cause: failure.cause }),
  };
}
