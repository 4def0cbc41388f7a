import type { Route } from "../../catalogue/model";
import type { Ctx, Hub } from "../../context";
import { AppError } from "../../errors";
import { toEuros } from "../../lib/money";
import type { EmbedState } from "../../providers/embed-call";
import { chatError } from "../chat/answer";
import { buildChat } from "../chat/build-chat";
import { type Connection, watchConnection } from "../chat/connection";
import { describeRouteFailure } from "../chat/describe-route-failure";
import { ChatAborted, trackInFlight } from "../chat/in-flight";
import { joinEarlier } from "../chat/join-earlier";
import type { ChatRequest, ClientRequest } from "../chat/request";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/generation";
import { insertWithHold } from "../generations/insert-with-hold";
import { findReplayedChat, type Idempotency } from "../generations/replay";
import { settleChat } from "../generations/settle-chat";
import { insufficientCreditsError } from "../generations/start";
import { runInGenAiSpan, runInProviderSpan } from "../metrics/gen-ai-span";
import { tokenCost } from "../pricing/cost";
import { isTokenCount } from "../pricing/usage";
import { chooseUpstreamModel, toUpstreamInput } from "../routing/route-parameters";
import { prepareEmbedding, type PreparedEmbedding } from "./prepare-embedding";
import { writeVectors } from "./write-vectors";

export interface EmbeddingRequest {
  model: string;
  body: Record<string, unknown>;
  idempotency: Idempotency | null;
  client: ClientRequest | null;
  onGeneration: (id: string) => void;
}

/**
 * Computes vectors: holds the cost of the most tokens that the input can have, calls the model's routes and charges what was
 * used. Vectors are not stored, except as the answer of a request that may be repeated, as a chat's answer is. Throws the
 * errors of `completeChat`.
 */
export async function embed(ctx: Ctx, request: EmbeddingRequest): Promise<{ answer: string; replayed: boolean }> {
  const { idempotency, client } = request;
  const earlier = idempotency
    ? await findReplayedChat(ctx, idempotency)
    : client?.isRetry
      ? await joinEarlier(ctx, client, request.onGeneration)
      : null;
  if (earlier) {
    request.onGeneration(earlier.id);
    return { answer: earlier.answer, replayed: true };
  }
  const connection = watchConnection(ctx, client);
  let answer: string | null = null;
  try {
    const prepared = prepareEmbedding(ctx, request);
    const generation = await hold(ctx, prepared, request);
    // A concurrent request has committed a generation with this key, so the retry finds it.
    if (!generation) return embed(ctx, { ...request, client: null });
    request.onGeneration(generation.id);
    connection.start(generation.id);
    answer = await trackInFlight(ctx.hub, generation.id, generation.timeout_seconds * 1000, (signal) =>
      runInGenAiSpan(ctx.hub, { operation: "embeddings", generation }, () =>
        run(ctx, prepared, { generation, connection, signal }),
      ),
    );
    return { answer, replayed: false };
  } finally {
    connection.end(answer);
  }
}

async function hold(
  ctx: Ctx,
  prepared: PreparedEmbedding,
  { idempotency, client }: EmbeddingRequest,
): Promise<Generation | null> {
  const { model, routes, input, price, cost } = prepared;
  const chat = { model, routes, input, files: new Map(), isLarge: Boolean(ctx.isLarge) } as unknown as ChatRequest;
  const generation = await buildChat(ctx, chat, { cost, price }, idempotency);
  const result = await insertWithHold(ctx.hub, {
    ...generation,
    facade: idempotency?.facade,
    request_digest: client?.digest ?? null,
    follows_events: ctx.account.followsEvents ?? true,
  });
  if (result === "insufficient_credits") throw await insufficientCreditsError(ctx, cost);
  return result === "accepted" ? generation : null;
}

interface Run {
  generation: Generation;
  connection: Connection;
  signal: AbortSignal;
}

async function run(ctx: Ctx, prepared: PreparedEmbedding, { generation, connection, signal }: Run): Promise<string> {
  const { hub } = ctx;
  const memory = hub.bodyBudget.open(ctx.account.id);
  const attempts: AttemptRecord[] = [];
  const { id } = generation;
  try {
    const state = await callRoutes(
      hub,
      prepared,
      { id, isLarge: Boolean(ctx.isLarge), reserve: (bytes: number) => memory.add(bytes), attempts },
      signal,
    );
    if (state.state === "failed") {
      await connection.beforeSettle();
      await settleChat(hub, id, { to: "failed", cost: 0n, error: state.error, attempts });
      throw chatError(state);
    }
    const { price } = prepared;
    const tokens = isTokenCount(state.promptTokens) ? state.promptTokens : price.most_input_tokens;
    const cost = tokenCost(price, { input: tokens, output: 0 });
    const charged = cost < generation.estimated_cost ? cost : generation.estimated_cost;
    const answer = await writeVectors(state.vectors, prepared.format, {
      model: prepared.model.id,
      tokens,
      cost: toEuros(charged),
    });
    attempts.at(-1)!.cost = String(cost);
    const clientLeft = await connection.beforeSettle();
    const isStored = generation.idempotency_key !== null || clientLeft;
    const isSettled = await settleChat(hub, id, {
      ...{ to: "succeeded", cost, attempts, tokens: { input: tokens, output: 0 } },
      answer: isStored ? answer : undefined,
    });
    // The sweep has failed it and released its hold, so the answer was not charged and is not returned.
    if (!isSettled) throw new AppError("provider_error", "The answer came too late.", {}, { "Retry-After": "1" });
    return answer;
  } finally {
    memory.release();
  }
}

interface Calls {
  id: string;
  isLarge: boolean;
  reserve: (bytes: number) => boolean;
  attempts: AttemptRecord[];
}

/** Calls the routes in order, those that cool down last, until one succeeds or may have done work. */
async function callRoutes(
  hub: Hub,
  { routes, input }: PreparedEmbedding,
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
