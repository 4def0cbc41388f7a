import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { AppError, isAppError } from "../../errors";
import { type Completion, completionToChunk } from "../../providers/chat-call";
import type { Generation } from "../generations/row";
import type { Idempotency, ReplayedChat } from "../generations/replay";
import { watchConnection } from "./connection";
import { createEventStream, type EventStream } from "./event-stream";
import { findEarlier } from "./find-earlier";
import { holdForChat } from "./hold-for-chat";
import { trackInFlight } from "./in-flight";
import { prepareChat } from "./prepare-chat";
import type { ChatBody, ChatRequest, ClientRequest } from "./request";
import { createStreamRun } from "./run-stream";
import { readStreamOptions } from "./stream-options";

/** The client of a streamed chat. */
export interface StreamClient {
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  /** Called as soon as the id of the chat is known. */
  onGeneration: (id: string) => void;
  /** Its request, if a retry may join it or it may be one; absent or null with an idempotency key. */
  request?: ClientRequest | null;
  /** Returns the body of an error, for the event that ends a stream which has begun. */
  describeError: (error: AppError) => object;
}

export interface StreamedChat {
  body: ReadableStream<Uint8Array>;
  replayed: boolean;
}

/**
 * Completes a chat as a stream of server-sent events (docs/decisions/0043-streamed-chats.md). Holds and charges like
 * `completeChat`, and throws its errors until the first event; later ones are an `error` event. A client that leaves ends
 * the chat, at once or, before the first event, when no retry joins it (docs/decisions/0085-joined-streams.md). A known
 * idempotency key, or a retry by the client's SDK, returns the earlier answer as one chunk.
 */
export async function streamChat(
  ctx: Ctx,
  body: ChatBody,
  idempotency: Idempotency | null,
  client: StreamClient,
): Promise<StreamedChat> {
  const earlier = await findEarlier(ctx, idempotency, client.request ?? null, client.onGeneration);
  if (earlier) return replay(ctx, earlier, client);
  const { hub } = ctx;
  const { input, options } = readStreamOptions(body);
  const stream = createEventStream(hub.services.streamTimes, client.disconnected);
  const connection = watchConnection(ctx, client.request ? untilFirstEvent(client.request, stream) : null);
  let generation: Generation | null;
  let request: ChatRequest;
  try {
    request = await prepareChat(ctx, input, { stream: true });
    generation = await holdForChat(ctx, request, idempotency, client.request?.digest ?? null);
  } catch (error) {
    connection.end(null);
    throw error;
  }
  // A concurrent request has committed a generation with this key, so the retry finds it.
  if (!generation) return streamChat(ctx, body, idempotency, client);
  const { id } = generation;
  client.onGeneration(id);
  connection.start(id);
  const run = createStreamRun(ctx, { request, generation, options, stream, connection });
  const timeoutMs = generation.timeout_seconds * 1000;
  const work = (signal: AbortSignal) => run.work(signal);
  const done = trackInFlight(hub, id, timeoutMs, work, () => run.renewLease());
  done.catch((error: unknown) => {
    const body = { error: client.describeError(toAppError(ctx, error)) };
    stream.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  });
  // A large request stays in memory until its provider answers, so its response begins with the first event.
  const silence = ctx.isLarge ? new Promise(() => undefined) : sleep(hub.services.streamTimes.commentMs, undefined, { ref: false }); // prettier-ignore
  await Promise.race([stream.started, done, silence]);
  return { body: stream.body, replayed: false };
}

/** Returns a request that counts as delivered once an event was sent: what came before, a retry cannot get as well. */
const untilFirstEvent = (request: ClientRequest, stream: EventStream): ClientRequest => ({
  ...request,
  delivered: request.delivered.then((delivered) => delivered || stream.hasSent()),
});

function replay(ctx: Ctx, { id, answer }: ReplayedChat, client: StreamClient): StreamedChat {
  client.onGeneration(id);
  const stream: EventStream = createEventStream(ctx.hub.services.streamTimes, client.disconnected);
  const chunk = { ...completionToChunk(JSON.parse(answer) as Completion), object: "chat.completion.chunk" };
  stream.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  return { body: stream.body, replayed: true };
}

function toAppError({ hub, requestId }: Ctx, error: unknown): AppError {
  if (isAppError(error)) return error;
  hub.log.error({ err: error, requestId }, "stream failed");
  return new AppError("internal_error", `Something failed on our side. Quote request ${requestId} when you report it.`);
}
