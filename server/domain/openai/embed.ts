import type { Route } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { responseTooLate } from "../../errors";
import { toEuros } from "../../lib/money";
import type { EmbedCall, EmbedState } from "../../providers/chat-call";
import {
  callInTurn,
  type CallOutcome,
  ChatAborted,
  chatError,
  type ClientRequest,
  type Connection,
  findEarlier,
  insertChat,
  internalFailure,
  trackInFlight,
  trackWrite,
  watchConnection,
} from "../chat";
import type { Generation } from "../generations/row";
import { insufficientCreditsError } from "../generations/intake";
import type { Idempotency } from "../generations/replay";
import { settleChat } from "../generations/end";
import { runInGenAiSpan, runInProviderSpan } from "../metrics";
import { isTokenCount, tokenCost, type TokenUsage } from "../tokens";
import { routeTokenCost } from "../pricing";
import { chooseUpstreamModel, toUpstreamInput } from "../routing";
import type { OpenAiHub } from "./hub";
import { countForLimit, prepareEmbedding, type PreparedEmbedding } from "./prepare-embedding";
import {
  isLargeList,
  joinVectors,
  parseAnswer,
  serializeList,
  type VectorAnswer,
  type VectorList,
} from "./vector-answer";
import { storeVectors } from "./vector-pieces";

export interface EmbeddingRequest {
  model: string;
  body: Record<string, unknown>;
  idempotency: Idempotency | null;
  client: ClientRequest | null;
  onGeneration: (id: string) => void;
}

/** The result of a request for embeddings. */
export interface Embedding {
  answer: VectorAnswer;
  replayed: boolean;
  /** Releases the memory of the answer; called after it was sent. */
  release: () => void;
}

/**
 * Computes embeddings: holds the cost of the most tokens that the input can have, calls the model's routes and charges what
 * was used. Vectors are stored only as the answer of a request that may be repeated, like the answer of a chat. Throws the
 * errors of `completeChat`.
 */
export async function embed(ctx: Ctx<OpenAiHub>, request: EmbeddingRequest): Promise<Embedding> {
  const { hub } = ctx;
  const { idempotency, client } = request;
  const earlier = await findEarlier(ctx, idempotency, client, request.onGeneration);
  if (earlier) {
    request.onGeneration(earlier.id);
    return { answer: parseAnswer(hub, earlier), replayed: true, release: () => undefined };
  }
  const vectors = createVectorStore(hub);
  const connection = watchConnection(ctx, client && storeWhenLeft(hub, client, vectors));
  const memory = hub.bodyBudget.open(ctx.account.id);
  let stored: string | null = null;
  try {
    const prepared = prepareEmbedding(ctx, request);
    const { model, routes, input, price, cost } = prepared;
    const tokens = await countForLimit(ctx, prepared);
    const marks = { idempotency, digest: client?.digest ?? null };
    const generation = await insertChat(ctx, { model, routes, input }, { price, cost, tokens }, marks);
    // A concurrent request with this key may hold the available credit, and a repeated request is never a 402.
    if (!generation && !(await findEarlier(ctx, idempotency))) throw await insufficientCreditsError(ctx, cost);
    if (!generation || generation === "duplicate_key") {
      memory.release();
      // A concurrent request has committed a generation with this key, so the retry finds it.
      return await embed(ctx, { ...request, client: null });
    }
    request.onGeneration(generation.id);
    connection.start(generation.id);
    const done = await trackInFlight(hub, generation.id, generation.timeout_seconds * 1000, (signal) =>
      runInGenAiSpan(hub, { operation: "embeddings", generation }, () =>
        run(ctx, prepared, { generation, connection, vectors, signal, reserve: (bytes) => memory.add(bytes) }),
      ),
    );
    stored = done.stored;
    return { answer: done.answer, replayed: false, release: () => memory.release() };
  } catch (error) {
    memory.release();
    throw error;
  } finally {
    connection.end(stored);
  }
}

interface VectorStore {
  /** The vectors, once they are known, of an answer that is too large for one value. */
  content?: { id: string; vectors: Buffer[] };
  /** Stores them if there are any, and only once. */
  store(): Promise<void>;
}

function createVectorStore(hub: OpenAiHub): VectorStore {
  let storing: Promise<void> | undefined;
  return {
    store() {
      if (this.content) storing ??= storeVectors(hub, this.content.id, this.content.vectors);
      return storing ?? Promise.resolve();
    },
  };
}

/** Returns the client's request, whose disconnect is reported only once the vectors are stored that a retry will need. */
const storeWhenLeft = (hub: OpenAiHub, client: ClientRequest, vectors: VectorStore): ClientRequest => ({
  ...client,
  delivered: client.delivered.then(async (isDelivered) => {
    if (!isDelivered) await trackWrite(hub, vectors.store());
    return isDelivered;
  }),
});

interface Run {
  generation: Generation;
  connection: Connection;
  vectors: VectorStore;
  reserve: (bytes: number) => boolean;
  signal: AbortSignal;
}

interface Done {
  answer: VectorAnswer;
  /** The text that is stored as the answer if the request may be repeated. */
  stored: string;
}

async function run(
  ctx: Ctx<OpenAiHub>,
  prepared: PreparedEmbedding,
  { generation, connection, vectors, reserve, signal }: Run,
): Promise<Done> {
  const { hub } = ctx;
  const { id } = generation;
  const calls = { generation, isLarge: Boolean(ctx.isLarge), reserve };
  const { state, attempts } = await callEmbedRoutes(hub, prepared, calls, signal);
  if (state.state === "failed") {
    await connection.beforeSettle();
    await settleChat(hub, id, { to: "failed", cost: 0n, error: state.error, attempts });
    throw chatError(hub, state);
  }
  const { price } = prepared;
  const tokens = readTokenCount(state.promptTokens) ?? price.most_input_tokens;
  const used: TokenUsage = { tokens: { input: tokens, output: 0 }, serviceTier: null };
  const cost = tokenCost(price, used);
  const charged = cost < generation.estimated_cost ? cost : generation.estimated_cost;
  const list: VectorList = {
    format: prepared.format,
    model: prepared.model.id,
    tokens,
    cost: toEuros(charged),
    count: state.vectors.length,
    size: state.vectors[0]!.length,
  };
  const isLarge = isLargeList(list);
  const answer: VectorAnswer = isLarge ? { list, vectors: state.vectors } : await joinVectors(list, state.vectors);
  const stored = typeof answer === "string" ? answer : serializeList(list);
  if (isLarge) vectors.content = { id, vectors: state.vectors };
  const route = prepared.routes.find((one) => one.id === attempts.at(-1)!.route)!;
  attempts.at(-1)!.cost = String(routeTokenCost(hub, prepared.model.id, route, used) ?? cost);
  const clientLeft = await connection.beforeSettle();
  const isStored = generation.idempotency_key !== null || clientLeft;
  // Stored before the settlement, so that an answer never names vectors that are not there.
  if (isStored) await vectors.store();
  const isSettled = await settleChat(hub, id, {
    to: "succeeded",
    cost,
    attempts,
    usage: used,
    answer: isStored ? stored : undefined,
    limits: ctx.account.limits,
  });
  // The sweep has failed the generation and released its hold, so the answer was not charged and is not returned.
  if (!isSettled) throw responseTooLate();
  return { answer, stored };
}

/** Returns what a provider has counted; null if that is implausible. Zero is, because no text is empty. */
const readTokenCount = (count: unknown): number | null => (isTokenCount(count) && count > 0 ? count : null);

interface Calls {
  generation: Generation;
  isLarge: boolean;
  reserve: (bytes: number) => boolean;
}

/** Calls the routes one after the other as `callInTurn` does; those that cool down come last. */
function callEmbedRoutes(
  hub: OpenAiHub,
  { routes, reason, input }: Pick<PreparedEmbedding, "routes" | "reason" | "input">,
  { generation, isLarge, reserve }: Calls,
  signal: AbortSignal,
): Promise<CallOutcome<EmbedState>> {
  const { id } = generation;
  const isUsable = (route: Route) => hub.services.routeHealth.check(route.id, id) === "usable";
  const ordered = [...routes.filter(isUsable), ...routes.filter((route) => !isUsable(route))];
  return callInTurn<EmbedState>(hub, { routes: ordered, reason, generation }, signal, (route) => {
    const body = { ...toUpstreamInput(route, input), model: chooseUpstreamModel(route, input) || route.id };
    return callRoute(hub, { id, body, route, isLarge, json: hub.json, reserve }, signal);
  });
}

async function callRoute(hub: OpenAiHub, call: EmbedCall, signal: AbortSignal): Promise<EmbedState> {
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
