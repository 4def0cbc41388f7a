import type { Route } from "../../catalogue/model";
import type { Ctx, Hub } from "../../context";
import type { ChatChunk, ChatStreamState } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/generation";
import { settleChat } from "../generations/settle-chat";
import { runInGenAiSpan } from "../metrics/gen-ai-span";
import { chatError } from "./answer";
import type { CallMethod, CallOutcome } from "./call-providers";
import { callRoutes, toFailure } from "./call-routes";
import { isText } from "./count-prompt";
import { describeRouteFailure } from "./describe-route-failure";
import type { EventStream } from "./event-stream";
import { ChatAborted } from "./in-flight";
import { readChunks, type StreamEnd } from "./read-chunks";
import type { ChatRequest } from "./request";
import { type ChunkSender, createChunkSender } from "./send-chunks";
import { createStreamSettlement } from "./settle-stream";
import { createStreamProgress, type StreamProgress } from "./stream-progress";
import type { StreamOptions } from "./stream-options";
import { createTranscript } from "./transcript";

interface StreamedRequest {
  request: ChatRequest;
  generation: Generation;
  options: StreamOptions;
  stream: EventStream;
}

const clientLeft: Failure = { code: "internal_error", message: "The client left.", retryable: true };

/**
 * Prepares to run a streamed chat. `work` calls the provider, sends what arrives and settles; it rejects with the error
 * for the client.
 */
export function createStreamRun(ctx: Ctx, streamed: StreamedRequest) {
  const { hub, account } = ctx;
  const { request, generation, options, stream } = streamed;
  const progress = createStreamProgress();
  const keepsText = typeof account.replyRetentionDays === "number" || generation.idempotency_key !== null;
  const transcript = keepsText ? createTranscript() : null;
  const sender = createChunkSender(generation, stream, options.includeUsage);
  const settlement = createStreamSettlement(ctx, { request, generation, progress, transcript });

  return {
    renewLease: () => settlement.renewLease(),

    work: (timeout: AbortSignal): Promise<void> =>
      runInGenAiSpan(hub, { operation: "chat", generation, stream: true }, () => work(timeout)),
  };

  async function work(timeout: AbortSignal): Promise<void> {
    const own = new AbortController();
    const abort = (reason: ChatAborted) => own.abort(reason);
    const signal = AbortSignal.any([timeout, own.signal]);
    abortWhenLeft(streamed, progress, abort);
    const { state, attempts } = await openStream(hub, streamed, signal);
    const finish = (end: StreamEnd) => conclude(end, { attempts, progress, sender, settlement });
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
    };
    const { id } = generation;
    const end = await readChunks(hub, { id, chunks: state.chunks, progress, stream, onChunk, abort });
    if (end.kind === "broken") recordFault(hub, request, attempts.at(-1)!, end);
    return finish(end);
  }
}

/** Ends the provider's request when the client leaves, if the hub can count what was used until then. */
function abortWhenLeft(
  { request, stream }: StreamedRequest,
  progress: StreamProgress,
  abort: (reason: ChatAborted) => void,
): void {
  // What only the provider can count would be free for a client that leaves before the usage.
  if (!isText(request.input.messages) || request.model.supports.reasoning) return;
  const onLeft = () => {
    // After the last word the usage is about to arrive.
    if (progress.finishReason === null) abort(new ChatAborted(clientLeft));
  };
  if (stream.left.aborted) onLeft();
  else stream.left.addEventListener("abort", onLeft, { once: true });
}

const streamMethod: CallMethod<ChatStreamState> = (provider, chat, signal) => provider.streamChat!(chat, signal);

async function openStream(
  hub: Hub,
  { request, generation, options }: StreamedRequest,
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
    await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: toFailure(error), attempts: [] });
    throw error;
  }
}

interface Conclusion {
  attempts: AttemptRecord[];
  progress: StreamProgress;
  sender: ChunkSender;
  settlement: ReturnType<typeof createStreamSettlement>;
}

async function conclude(end: StreamEnd, { attempts, progress, sender, settlement }: Conclusion): Promise<void> {
  const attempt = attempts.at(-1);
  if (end.kind === "complete") {
    const finishReason = progress.finishReason ?? "stop";
    sender.finish(finishReason, await settlement.charge("succeeded", attempts, finishReason));
  } else if (end.kind === "left") {
    if (attempt) attempt.outcome = "canceled";
    await settlement.charge("canceled", attempts, "length");
  } else {
    if (attempt) Object.assign(attempt, { code: end.failed.error.code, cause: describeRouteFailure(end.failed).cause });
    if (!progress.hasOutput()) return settlement.fail(end.failed, attempts);
    if (attempt) attempt.outcome = "failed";
    await settlement.charge("canceled", attempts, "length");
    throw chatError(end.failed);
  }
}

function recordFault(
  hub: Hub,
  { routes }: ChatRequest,
  { route, started_at }: AttemptRecord,
  { failed }: Extract<StreamEnd, { kind: "broken" }>,
): void {
  const used = routes.find(({ id }) => id === route)!;
  hub.services.routeHealth.recordFailure(used, describeRouteFailure(failed), started_at);
}
