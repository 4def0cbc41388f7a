import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { toEuros } from "../../lib/money";
import {
  buildChat,
  chatError,
  type ChatRequest,
  type ClientRequest,
  type Connection,
  joinEarlier,
  trackInFlight,
  trackWrite,
  watchConnection,
} from "../chat";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/row";
import { insertWithHold, insufficientCreditsError } from "../generations/intake";
import { findReplayedChat, type Idempotency } from "../generations/replay";
import { settleChat } from "../generations/end";
import { runInGenAiSpan } from "../metrics";
import { isTokenCount, tokenCost } from "../pricing";
import type { OpenAiHub } from "./hub";
import { prepareEmbedding, type PreparedEmbedding } from "./prepare-embedding";
import { callEmbedRoutes } from "./call-embed-routes";
import { isLargeList, joinVectors, parseAnswer, serializeList, type VectorAnswer } from "./vector-answer";
import type { VectorList } from "./vector-list";
import { storeVectors } from "./vector-pieces";

export interface EmbeddingRequest {
  model: string;
  body: Record<string, unknown>;
  idempotency: Idempotency | null;
  client: ClientRequest | null;
  onGeneration: (id: string) => void;
}

/** What a request for vectors is answered with. */
export interface Embedding {
  answer: VectorAnswer;
  replayed: boolean;
  /** Releases the memory of the answer, after it was sent. */
  release: () => void;
}

/**
 * Computes vectors: holds the cost of the most tokens that the input can have, calls the model's routes and charges what was
 * used. Vectors are not stored, except as the answer of a request that may be repeated, as a chat's answer is. Throws the
 * errors of `completeChat`.
 */
export async function embed(ctx: Ctx<OpenAiHub>, request: EmbeddingRequest): Promise<Embedding> {
  const { hub } = ctx;
  const { idempotency, client } = request;
  const earlier = idempotency
    ? await findReplayedChat(ctx, idempotency)
    : client?.isRetry
      ? await joinEarlier(ctx, client, request.onGeneration)
      : null;
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
    const generation = await hold(ctx, prepared, request);
    if (!generation) {
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

/** Stores the vectors of one request, once, if its answer is too large for one value. */
interface VectorStore {
  /** Set when they are known. */
  content?: { id: string; vectors: Buffer[] };
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

/** Returns the request as one whose client has left only when the vectors that a retry will want are stored. */
const storeWhenLeft = (hub: OpenAiHub, client: ClientRequest, vectors: VectorStore): ClientRequest => ({
  ...client,
  delivered: client.delivered.then(async (isDelivered) => {
    if (!isDelivered) await trackWrite(hub, vectors.store());
    return isDelivered;
  }),
});

async function hold(
  ctx: Ctx<OpenAiHub>,
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
  vectors: VectorStore;
  reserve: (bytes: number) => boolean;
  signal: AbortSignal;
}

interface Done {
  answer: VectorAnswer;
  /** What is stored of it for a request that may be repeated. */
  stored: string;
}

async function run(
  ctx: Ctx<OpenAiHub>,
  prepared: PreparedEmbedding,
  { generation, connection, vectors, reserve, signal }: Run,
): Promise<Done> {
  const { hub } = ctx;
  const attempts: AttemptRecord[] = [];
  const { id } = generation;
  const state = await callEmbedRoutes(hub, prepared, { id, isLarge: Boolean(ctx.isLarge), reserve, attempts }, signal);
  if (state.state === "failed") {
    await connection.beforeSettle();
    await settleChat(hub, id, { to: "failed", cost: 0n, error: state.error, attempts });
    throw chatError(state);
  }
  const { price } = prepared;
  const tokens = isTokenCount(state.promptTokens) ? state.promptTokens : price.most_input_tokens;
  const cost = tokenCost(price, { input: tokens, output: 0 });
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
  attempts.at(-1)!.cost = String(cost);
  const clientLeft = await connection.beforeSettle();
  const isStored = generation.idempotency_key !== null || clientLeft;
  // Before the settlement, so that an answer never names vectors that are not there.
  if (isStored) await vectors.store();
  const isSettled = await settleChat(hub, id, {
    to: "succeeded",
    cost,
    attempts,
    tokens: { input: tokens, output: 0 },
    answer: isStored ? stored : undefined,
  });
  // The sweep has failed it and released its hold, so the answer was not charged and is not returned.
  if (!isSettled) throw new AppError("provider_error", "The answer came too late.", {}, { "Retry-After": "1" });
  return { answer, stored };
}
