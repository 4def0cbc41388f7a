import type { Ctx } from "../../context";
import type { JsonText } from "../../lib/json/codec";
import type { Idempotency } from "../generations/replay";
import type { Generation } from "../generations/row";
import { settleChat } from "../generations/end";
import { runInGenAiSpan } from "../metrics";
import { completeMethod } from "./call-providers";
import { callRoutes, toFailure } from "./call-routes";
import { finalizeChat } from "./finalize-chat";
import { type Connection, watchConnection } from "./connection";
import { findEarlier, leavePayment, takeOverBroken } from "./find-earlier";
import { type ChatDialect, unstreamedDialect } from "../dialects";
import { findClamp, holdForChat } from "./hold-for-chat";
import type { ChatHub } from "./hub";
import { trackInFlight } from "./in-flight";
import { prepareChat } from "./prepare-chat";
import type { ChatBody, ChatRequest, ClientRequest } from "./request";

export interface Completed {
  /** The response body. */
  answer: JsonText;
  replayed: boolean;
  /** The output limit to which the chat was clamped; null if it was not. */
  maxTokens: number | null;
}

/**
 * Completes a chat: holds its maximum cost, calls the model's routes and charges what was used. A known idempotency
 * key, or a retry by the client's SDK, returns the earlier answer instead (specification, section 4.5). Throws, in this
 * order, 503 and 409 of the key, 404, 400, 410, 402, and the provider's errors, which cost nothing and release the key.
 * `onGeneration` is called as soon as the id of the chat is known.
 */
export async function completeChat(
  ctx: Ctx<ChatHub>,
  body: ChatBody,
  idempotency: Idempotency | null,
  client: ClientRequest | null = null,
  onGeneration: (id: string) => void = () => undefined,
  dialect: ChatDialect = unstreamedDialect,
): Promise<Completed> {
  const earlier = await findEarlier(ctx, idempotency, client, onGeneration);
  if (earlier !== null) {
    onGeneration(earlier.id);
    return { answer: earlier.answer, replayed: true, maxTokens: earlier.maxTokens };
  }
  const connection = watchConnection(ctx, client);
  let answer: JsonText | null = null;
  try {
    const request = await prepareChat(ctx, body, dialect);
    const generation = await holdForChat(ctx, request, idempotency, client?.digest ?? null);
    // A concurrent request has committed a generation with this key, so the retry finds it.
    if (!generation) return completeChat(ctx, body, idempotency, null, onGeneration, dialect);
    onGeneration(generation.id);
    connection.start(generation.id);
    await takeOverBroken(ctx, generation, client);
    answer = await trackInFlight(ctx.hub, generation.id, generation.timeout_seconds * 1000, (signal) =>
      runChat(ctx, { request, generation, connection }, signal),
    );
    return { answer, replayed: false, maxTokens: findClamp(generation) };
  } finally {
    connection.end(answer);
  }
}

interface ChatRun {
  request: ChatRequest;
  generation: Generation;
  connection: Connection;
}

const runChat = (ctx: Ctx<ChatHub>, run: ChatRun, signal: AbortSignal): Promise<JsonText> =>
  runInGenAiSpan(ctx.hub, { operation: "chat", generation: run.generation }, () => callAndSettle(ctx, run, signal));

async function callAndSettle(
  ctx: Ctx<ChatHub>,
  { request, generation, connection }: ChatRun,
  signal: AbortSignal,
): Promise<JsonText> {
  const { hub } = ctx;
  const outcome = await callRoutes(hub, { request, generation, method: completeMethod(hub) }, signal).catch(
    async (error: unknown) => {
      await leavePayment(generation, connection);
      await connection.beforeSettle();
      await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: toFailure(error), attempts: [] });
      throw error;
    },
  );
  return finalizeChat(ctx, { request, generation }, outcome, connection);
}
