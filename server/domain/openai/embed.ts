import { z } from "zod";
import { isEmbeddingModel, type OfferedModel, type Route } from "../../catalogue/model";
import type { Ctx, Hub } from "../../context";
import { AppError, invalidInput } from "../../errors";
import type { Nano } from "../../lib/money";
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
import { findStoredAnswer, type Idempotency } from "../generations/replay";
import { settleChat } from "../generations/settle-chat";
import { insufficientCreditsError } from "../generations/start";
import { getModel } from "../models/offered-models";
import { tokenCost } from "../pricing/cost";
import type { TokenPrice } from "../pricing/price";
import { isTokenCount } from "../pricing/usage";
import { findRoutes } from "../routing/find-routes";
import { chooseUpstreamModel, toUpstreamInput } from "../routing/route-parameters";
import { writeVectors } from "./write-vectors";

const MAX_INPUTS = 2_048;
const MAX_TOKENS = 100_000;
/** Separators that a server adds to each input. */
const OVERHEAD_TOKENS = 8;

const Token = z.int().min(0).max(10_000_000);
const Tokens = z.array(Token).min(1).max(MAX_TOKENS);
const Text = z.string().min(1);
const EmbeddingInput = z.object({
  input: z.union([Text, z.array(Text).min(1).max(MAX_INPUTS), Tokens, z.array(Tokens).min(1).max(MAX_INPUTS)]),
  dimensions: z.int().min(1).max(65_536).optional(),
  encoding_format: z.enum(["float", "base64"]).default("float"),
});

export interface EmbeddingRequest {
  model: string;
  body: Record<string, unknown>;
  idempotency: Idempotency | null;
  client: ClientRequest | null;
  onGeneration: (id: string) => void;
}

interface Prepared {
  model: OfferedModel;
  routes: Route[];
  input: Record<string, unknown>;
  format: "float" | "base64";
  price: TokenPrice;
  cost: Nano;
}

/**
 * Computes vectors: holds the cost of the most tokens that the input can have, calls the model's routes and charges what was
 * used. Vectors are not stored, except as the answer of a request that may be repeated, as a chat's answer is. Throws the
 * errors of `completeChat`.
 */
export async function embed(ctx: Ctx, request: EmbeddingRequest): Promise<{ answer: string; replayed: boolean }> {
  const { idempotency, client } = request;
  const earlier = idempotency
    ? await findStoredAnswer(ctx, idempotency)
    : client?.isRetry
      ? await joinEarlier(ctx, client)
      : null;
  if (earlier !== null) return { answer: earlier, replayed: true };
  const connection = watchConnection(ctx, client);
  let answer: string | null = null;
  try {
    const prepared = prepare(ctx, request);
    const generation = await hold(ctx, prepared, request);
    // A concurrent request has committed a generation with this key, so the retry finds it.
    if (!generation) return embed(ctx, { ...request, client: null });
    request.onGeneration(generation.id);
    connection.start(generation.id);
    answer = await trackInFlight(ctx.hub, generation.id, generation.timeout_seconds * 1000, (signal) =>
      run(ctx, prepared, { generation, connection, signal }),
    );
    return { answer, replayed: false };
  } finally {
    connection.end(answer);
  }
}

function prepare(ctx: Ctx, { model: id, body }: EmbeddingRequest): Prepared {
  const model = getModel(ctx, id);
  if (!isEmbeddingModel(model) || model.pricing.by !== "token")
    throw invalidInput("model", "computes no embeddings: choose a model whose output_modalities contain embedding");
  const parsed = EmbeddingInput.safeParse(body);
  if (!parsed.success)
    throw invalidInput(
      String(parsed.error.issues[0]!.path[0] ?? "input"),
      issues[String(parsed.error.issues[0]!.path[0] ?? "input")] ?? "is not valid",
    );
  const { encoding_format: format, input, dimensions } = parsed.data;
  const routes = findRoutes(ctx.hub, model);
  if (routes.length === 0) throw new AppError("provider_error", "No provider serves this model right now.");
  const { inputPerMillion, outputPerMillion, contextLength } = model.pricing;
  const price: TokenPrice = {
    by: "token",
    input_per_million: toEuros(inputPerMillion),
    output_per_million: toEuros(outputPerMillion),
    most_input_tokens: countMaxTokens(input, contextLength ?? Infinity),
    most_output_tokens: 0,
  };
  const cost = tokenCost(price, { input: price.most_input_tokens, output: 0 });
  return { model, routes, input: { input, ...(dimensions !== undefined && { dimensions }) }, format, price, cost };
}

const issues: Record<string, string> = {
  input: `must be a text, up to ${MAX_INPUTS} texts, or the same in tokens; no text may be empty`,
  dimensions: "must be a whole number from 1 to 65536",
  encoding_format: 'must be "float" or "base64"',
};

/** Returns an upper bound of the tokens of all inputs: no tokenizer makes more tokens of a text than it has bytes. */
function countMaxTokens(input: z.output<typeof EmbeddingInput>["input"], contextLength: number): number {
  const inputs = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  let tokens = 0;
  for (const one of inputs) {
    const length = typeof one === "string" ? Buffer.byteLength(one) : Array.isArray(one) ? one.length : 1;
    tokens += Math.min(length + OVERHEAD_TOKENS, contextLength);
  }
  return tokens;
}

async function hold(
  ctx: Ctx,
  prepared: Prepared,
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

async function run(ctx: Ctx, prepared: Prepared, { generation, connection, signal }: Run): Promise<string> {
  const { hub } = ctx;
  const memory = hub.bodyBudget.open(ctx.account.id);
  const attempts: AttemptRecord[] = [];
  const { id } = generation;
  try {
    const state = await callRoutes(
      hub,
      prepared,
      { id, isLarge: Boolean(ctx.isLarge), reserve: memory.add, attempts },
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
  { routes, input }: Prepared,
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
    return await hub.providers[call.route.provider.kind]!.embed!(call, signal);
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
});
