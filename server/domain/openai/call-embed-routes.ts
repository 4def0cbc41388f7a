import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import type { EmbedState } from "../../providers/chat-call";
import { ChatAborted, describeRouteFailure } from "../chat";
import type { AttemptRecord } from "../generations/attempts";
import { runInProviderSpan } from "../metrics";
import { chooseUpstreamModel, toUpstreamInput } from "../routing";
import type { PreparedEmbedding } from "./prepare-embedding";

interface Calls {
  id: string;
  isLarge: boolean;
  reserve: (bytes: number) => boolean;
  attempts: AttemptRecord[];
}

/** Calls the routes in order, those that cool down last, until one succeeds or may have done work. */
export async function callEmbedRoutes(
  hub: Hub,
  { routes, input }: Pick<PreparedEmbedding, "routes" | "input">,
  calls: Calls,
  signal: AbortSignal,
): Promise<EmbedState> {
  const { routeHealth } = hub.services;
  const { id, isLarge, reserve, attempts } = calls;
  const isUsable = (route: Route) => routeHealth.check(route.id, id) === "usable";
  const ordered = [...routes.filter(isUsable), ...routes.filter((route) => !isUsable(route))];
  let state: EmbedState | undefined;
  for (const route of ordered) {
    const startedAt = hub.now();
    const body = { ...toUpstreamInput(route, input), model: chooseUpstreamModel(route, input) || route.id };
    state = await callRoute(hub, { id, body, route, isLarge, json: hub.json, reserve }, signal);
    attempts.push(toAttempt(attempts.length + 1, route, state, [startedAt, hub.now()]));
    if (state.state === "succeeded") routeHealth.recordSuccess(route, startedAt);
    else routeHealth.recordFailure(route, describeRouteFailure(state), startedAt);
    if (state.state === "succeeded" || state.started) break;
  }
  return state!;
}

type Embed = NonNullable<NonNullable<Hub["providers"][keyof Hub["providers"]]>["embed"]>;

async function callRoute(hub: Hub, call: Parameters<Embed>[0], signal: AbortSignal): Promise<EmbedState> {
  try {
    return await runInProviderSpan(hub, "embeddings", call.route, () => {
      const traceHeaders = hub.tracing?.headers();
      return hub.providers[call.route.provider.kind]!.embed!({ ...call, traceHeaders }, signal);
    });
  } catch (error) {
    if (error instanceof ChatAborted) return { state: "failed", error: error.failure, started: true };
    hub.log.error({ err: error, generation: call.id }, "embedding failed");
    return { state: "failed", error: internalFailure, started: true };
  }
}

const internalFailure = { code: "internal_error" as const, message: "Something failed on our side.", retryable: true };

const toAttempt = (n: number, route: Route, state: EmbedState, [from, to]: [Date, Date]): AttemptRecord => ({
  n,
  route: route.id,
  provider: route.provider.kind,
  started_at: from,
  ended_at: to,
  outcome: state.state === "succeeded" ? "succeeded" : state.started ? "failed" : "refused",
  upstream_status: state.upstreamStatus ?? null,
  cost: state.state === "succeeded" ? null : "0",
  ...(state.state === "failed" && { code: state.error.code, cause: describeRouteFailure(state).cause }),
});
