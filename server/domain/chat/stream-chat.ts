import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { AppError, isAppError } from "../../errors";
import type { Completion } from "../../providers/chat-call";
import { completionToChunk } from "../../providers/completion-to-chunk";
import { findReplayedChat, type Idempotency, type ReplayedChat } from "../generations/replay";
import { createEventStream, type EventStream } from "./event-stream";
import { holdForChat } from "./hold-for-chat";
import { trackInFlight } from "./in-flight";
import { prepareChat } from "./prepare-chat";
import type { ChatBody } from "./request";
import { createStreamRun } from "./run-stream";
import { readStreamOptions } from "./stream-options";

/** The client of a streamed chat. */
export interface StreamClient {
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  /** Called as soon as the id of the chat is known. */
  onGeneration: (id: string) => void;
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
 * the chat. A known idempotency key returns the earlier answer as one chunk.
 */
export async function streamChat(
  ctx: Ctx,
  body: ChatBody,
  idempotency: Idempotency | null,
  client: StreamClient,
): Promise<StreamedChat> {
  const earlier = idempotency && (await findReplayedChat(ctx, idempotency));
  if (earlier) return replay(ctx, earlier, client);
  const { input, options } = readStreamOptions(body);
  const request = await prepareChat(ctx, input, { stream: true });
  const generation = await holdForChat(ctx, request, idempotency, null);
  // A concurrent request has committed a generation with this key, so the retry finds it.
  if (!generation) return streamChat(ctx, body, idempotency, client);
  client.onGeneration(generation.id);
  const { hub } = ctx;
  const stream = createEventStream(hub.services.streamTimes, client.disconnected);
  const run = createStreamRun(ctx, { request, generation, options, stream });
  const timeoutMs = generation.timeout_seconds * 1000;
  const done = trackInFlight(
    hub,
    generation.id,
    timeoutMs,
    (signal) => run.work(signal),
    () => run.renewLease(),
  );
  done.catch((error: unknown) => {
    const body = { error: client.describeError(toAppError(ctx, error)) };
    stream.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  });
  // A large request stays in memory until its provider answers, so its response begins with the first event.
  const silence = ctx.isLarge ? new Promise(() => undefined) : sleep(hub.services.streamTimes.commentMs, undefined, { ref: false }); // prettier-ignore
  await Promise.race([stream.started, done, silence]);
  return { body: stream.body, replayed: false };
}

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
