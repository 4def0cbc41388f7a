import { setTimeout as sleep } from "node:timers/promises";
import type { Route } from "../../catalogue/model";
import type { Ctx } from "../../context";
import type { ChatChunk, ChatStreamState } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/row";
import { withdrawUnclaimed } from "../generations/replay";
import { settleChat } from "../generations/end";
import { runInGenAiSpan } from "../metrics";
import { chatError } from "./answer";
import type { CallMethod, CallOutcome } from "./call-providers";
import { callRoutes, toFailure } from "./call-routes";
import type { Connection } from "./connection";
import { isText } from "./count-prompt";
import { describeRouteFailure } from "./describe-route-failure";
import type { EventStream } from "./event-stream";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";
import { readChunks, type StreamEnd } from "./read-chunks";
import type { ChatRequest } from "./request";
import { type ChunkSender, createChunkSender } from "./send-chunks";
import { createStreamSettlement } from "./settle-stream";
import { createStreamProgress, type StreamProgress } from "./stream-progress";
import type { StreamOptions } from "./stream-options";
import { createTranscript, type Transcript } from "./transcript";

interface StreamedRequest {
  request: ChatRequest;
  generation: Generation;
  options: StreamOptions;
  stream: EventStream;
  connection: Connection;
}

const clientLeft: Failure = { code: "internal_error", message: "The client left.", retryable: true };

/**
 * Prepares to run a streamed chat. `work` calls the provider, sends what arrives and settles; it rejects with the error
 * for the client.
 */
export function createStreamRun(ctx: Ctx<ChatHub>, streamed: StreamedRequest) {
  const { hub, account } = ctx;
  const { request, generation, options, stream, connection } = streamed;
  const progress = createStreamProgress();
  const keepsText = typeof account.replyRetentionDays === "number" || generation.idempotency_key !== null;
  // Until the first event is sent, a retry may ask for the text.
  let transcript: Transcript | null = createTranscript();
  const sender = createChunkSender(generation, stream, options.includeUsage);
  const settlement = createStreamSettlement(ctx, {
    request,
    generation,
    progress,
    stream,
    connection,
    transcript: () => transcript,
  });

  return {
    renewLease: () => settlement.renewLease(),

    work: (timeout: AbortSignal): Promise<void> =>
      runInGenAiSpan(hub, { operation: "chat", generation, stream: true }, () => work(timeout)),
  };

  async function work(timeout: AbortSignal): Promise<void> {
    const own = new AbortController();
    const ended = new AbortController();
    const abort = (reason: ChatAborted) => own.abort(reason);
    const signal = AbortSignal.any([timeout, own.signal]);
    abortWhenLeft(hub, streamed, { progress, abort, ended: ended.signal });
    try {
      await readAndSettle(signal, abort);
    } finally {
      ended.abort();
      connection.end(settlement.answer());
    }
  }

  async function readAndSettle(signal: AbortSignal, abort: (reason: ChatAborted) => void): Promise<void> {
    const { state, attempts } = await openStream(hub, streamed, signal);
    const finish = (end: StreamEnd) => conclude(end, { attempts, progress, sender, settlement, stream });
    if (state.state === "failed") {
      const hasLeft = stream.left.aborted && signal.aborted;
      return finish(hasLeft ? { kind: "left" } : { kind: "broken", failed: state });
    }
    const onChunk = async (chunk: ChatChunk) => {
      const hadOutput = progress.hasOutput();
      progress.add(chunk);
      transcript?.add(chunk);
      // From here on a killed process must not have given the text away.
      if (!hadOutput && progress.hasOutput()) settlement.renewLease();
      if (!stream.left.aborted) await sender.send(chunk, signal);
      if (!keepsText && stream.hasSent()) transcript = null;
    };
    const { id } = generation;
    const end = await readChunks(hub, { id, chunks: state.chunks, progress, stream, onChunk, abort });
    if (end.kind === "broken") recordFault(hub, request, attempts.at(-1)!, end);
    return finish(end);
  }
}

interface Leaving {
  progress: StreamProgress;
  abort: (reason: ChatAborted) => void;
  /** Aborts when the chat has ended. */
  ended: AbortSignal;
}

/** Ends the provider's request when the client leaves, if the hub can count what was used until then. */
function abortWhenLeft(hub: ChatHub, { request, generation, stream }: StreamedRequest, leaving: Leaving): void {
  // What only the provider can count would be free for a client that leaves before the usage.
  if (!isText(request.input.messages) || request.model.supports.reasoning) return;
  const { progress, abort, ended } = leaving;
  const onLeft = async () => {
    if (!stream.hasSent()) await waitForNoRetry(hub, generation.id, ended);
    // After the last word the usage is about to arrive.
    if (progress.finishReason === null) abort(new ChatAborted(clientLeft));
  };
  if (stream.left.aborted) void onLeft();
  else stream.left.addEventListener("abort", () => void onLeft(), { once: true });
}

/** Waits until a chat has ended, or for so long that no retry will join it. */
async function waitForNoRetry(hub: ChatHub, id: string, ended: AbortSignal): Promise<void> {
  const { retryMs } = hub.services.streamTimes;
  const pause = () => sleep(retryMs, undefined, { ref: false, signal: ended }).catch(() => undefined);
  for (await pause(); !ended.aborted; await pause()) {
    const isUnclaimed = await withdrawUnclaimed(hub, id).catch((error: unknown) => {
      hub.log.warn({ err: error, generation: id }, "chat retry state not read");
      return false;
    });
    if (isUnclaimed) return;
  }
}

const streamMethod: CallMethod<ChatStreamState> = (provider, chat, signal) => provider.streamChat!(chat, signal);

async function openStream(
  hub: ChatHub,
  { request, generation, options, connection }: StreamedRequest,
  signal: AbortSignal,
): Promise<CallOutcome<ChatStreamState>> {
  const extras = ({ refuse }: Route) => ({
    stream: true,
    // An operator may know a server that does not accept the option; its tokens are counted.
    ...(!refuse.includes("stream_options") && { stream_options: { ...options.sent, include_usage: true } }),
  });
  try {
    return await callRoutes(hub, { request, generation, method: streamMethod, extras }, signal);
  } catch (error) {
    await connection.beforeSettle();
    await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: toFailure(error), attempts: [] });
    throw error;
  }
}

interface Conclusion {
  attempts: AttemptRecord[];
  progress: StreamProgress;
  sender: ChunkSender;
  settlement: ReturnType<typeof createStreamSettlement>;
  stream: EventStream;
}

async function conclude(end: StreamEnd, { attempts, progress, sender, settlement, stream }: Conclusion): Promise<void> {
  const attempt = attempts.at(-1);
  if (end.kind === "complete") {
    const finishReason = progress.finishReason ?? "stop";
    sender.finish(finishReason, await settlement.charge("succeeded", attempts, finishReason));
  } else if (end.kind === "left") {
    if (attempt) attempt.outcome = "canceled";
    if (progress.hasOutput() || stream.hasSent()) await settlement.charge("canceled", attempts, "length");
    else await settlement.cancel(attempts);
  } else {
    if (attempt) Object.assign(attempt, { code: end.failed.error.code, cause: describeRouteFailure(end.failed).cause });
    if (!progress.hasOutput() || !stream.hasSent()) return settlement.fail(end.failed, attempts);
    if (attempt) attempt.outcome = "failed";
    await settlement.charge("canceled", attempts, "length");
    throw chatError(end.failed);
  }
}

function recordFault(
  hub: ChatHub,
  { routes }: ChatRequest,
  { route, started_at }: AttemptRecord,
  { failed }: Extract<StreamEnd, { kind: "broken" }>,
): void {
  const used = routes.find(({ id }) => id === route)!;
  hub.services.routeHealth.recordFailure(used, describeRouteFailure(failed), started_at);
}
