import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { AppError, isAppError } from "../../errors";
import type { Generation } from "../generations/row";
import type { Idempotency, ReplayedChat } from "../generations/replay";
import { watchConnection } from "./connection";
import { type ChatDialect, createEventStream, type EventStream } from "../dialects";
import { findEarlier, takeOverBroken } from "./find-earlier";
import { findClamp, holdForChat } from "./hold-for-chat";
import type { ChatHub } from "./hub";
import { trackInFlight } from "./in-flight";
import { prepareChat, readStreamOptions } from "./prepare-chat";
import type { ChatBody, ChatRequest, ClientRequest } from "./request";
import { createStreamRun } from "./run-stream";

/** The client of a streamed chat. */
interface StreamClient {
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  /** Called as soon as the id of the chat is known. */
  onGeneration: (id: string) => void;
  /** The request, which may be a retry or be joined by one; absent or null with an idempotency key. */
  request?: ClientRequest | null;
  dialect: ChatDialect;
}

interface StreamedChat {
  body: ReadableStream<Uint8Array>;
  replayed: boolean;
  /** The output limit to which the chat was clamped; null if it was not. */
  maxTokens: number | null;
}

/**
 * Completes a chat as a stream of server-sent events (docs/decisions/0043-streamed-chats.md). Holds and charges like
 * `completeChat`, and throws its errors until the response begins; later ones become an `error` event. A client that leaves
 * ends the chat: at once, or before the first event only if no retry joins it (docs/decisions/0085-joined-streams.md). A
 * known idempotency key, or a retry by the client's SDK, returns the earlier answer as one chunk.
 */
export async function streamChat(
  ctx: Ctx<ChatHub>,
  body: ChatBody,
  idempotency: Idempotency | null,
  client: StreamClient,
): Promise<StreamedChat> {
  const earlier = await findEarlier(ctx, idempotency, client.request ?? null, client.onGeneration);
  if (earlier) return replay(ctx, earlier, client);
  const { hub } = ctx;
  const { input, options } = readStreamOptions(body);
  let stream: EventStream | null = null;
  const hasSent = () => stream?.hasSent() ?? false;
  const connection = watchConnection(ctx, client.request ? untilJoinable(client.request, hasSent) : null);
  let generation: Generation | null;
  let request: ChatRequest;
  try {
    request = await prepareChat(ctx, input, client.dialect, { stream: true });
    generation = await holdForChat(ctx, request, idempotency, client.request?.digest ?? null);
    if (generation) {
      client.onGeneration(generation.id);
      connection.start(generation.id);
      await takeOverBroken(ctx, generation, client.request ?? null);
    }
  } catch (error) {
    connection.end(null);
    throw error;
  }
  // A concurrent request has committed a generation with this key, so the retry finds it.
  if (!generation) return streamChat(ctx, body, idempotency, client);
  // Created only now, because nothing would end the stream of a rejected chat, and its timer and buffer would stay.
  stream = createEventStream(hub.services.streamTimes, client.disconnected);
  const { id } = generation;
  const isJoinable = client.request?.isMarked === false;
  const run = createStreamRun(ctx, { request, generation, options, stream, connection, isJoinable });
  const done = trackInFlight(hub, id, generation.timeout_seconds * 1000, run.work, run.renewLease);
  done.catch((error: unknown) => run.fail(toAppError(ctx, error)));
  // A large request stays in memory until its provider answers, so its response only begins with the first event.
  const silence = ctx.isLarge ? [] : [sleep(hub.services.streamTimes.commentMs, undefined, { ref: false })];
  await Promise.race([stream.started, done, ...silence]);
  return { body: stream.body, replayed: false, maxTokens: findClamp(generation) };
}

/**
 * Returns a request that counts as delivered once an event was sent, if its client marks its retries: such a client repeats
 * nothing that it has begun to read. Others repeat every broken stream.
 */
const untilJoinable = (request: ClientRequest, hasSent: () => boolean): ClientRequest => ({
  ...request,
  delivered: request.delivered.then((delivered) => delivered || (request.isMarked && hasSent())),
});

async function replay(ctx: Ctx<ChatHub>, earlier: ReplayedChat, client: StreamClient): Promise<StreamedChat> {
  const { id, answer, maxTokens } = earlier;
  const body = (await ctx.hub.json.parseText(answer)) as Record<string, unknown>;
  client.onGeneration(id);
  const stream = createEventStream(ctx.hub.services.streamTimes, client.disconnected);
  client.dialect.replay(body, { id }, stream);
  return { body: stream.body, replayed: true, maxTokens };
}

function toAppError({ hub, requestId }: Ctx<ChatHub>, error: unknown): AppError {
  if (isAppError(error)) return error;
  hub.log.error({ err: error, requestId }, "stream failed");
  return new AppError("internal_error", `Something failed on our side. Quote request ${requestId} when you report it.`);
}
