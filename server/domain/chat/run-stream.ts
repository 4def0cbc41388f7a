import { setTimeout as sleep } from "node:timers/promises";
import type { Route } from "../../catalogue/model";
import type { Ctx } from "../../context";
import type { AppError } from "../../errors";
import type { ChatChunk, ChatStreamState } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import { showChunks } from "../exposure";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/row";
import { withdrawUnclaimed } from "../generations/replay";
import { settleChat } from "../generations/end";
import { runInGenAiSpan } from "../metrics";
import type { TokenPrice } from "../tokens";
import { chatError } from "./chat-error";
import type { CallOutcome } from "./call-in-turn";
import type { CallMethod } from "./call-providers";
import { callRoutes, toFailure } from "./call-routes";
import type { Connection } from "./connection";
import { countPrompt, isText } from "./count-prompt";
import type { EventStream, StreamedAnswer, Transcript } from "../dialects";
import { leavePayment } from "./find-earlier";
import { describeRouteFailure } from "./describe-route-failure";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";
import { readChunks, type StreamEnd } from "./read-chunks";
import type { ChatRequest } from "./request";
import type { StreamOptions } from "./prepare-chat";
import { createStreamSettlement } from "./settle-stream";
import { createStreamProgress, type StreamProgress } from "./stream-progress";

interface StreamedRequest {
  request: ChatRequest;
  generation: Generation;
  options: StreamOptions;
  stream: EventStream;
  connection: Connection;
  /** Whether an equal request joins the chat if its stream breaks, even after the first event. */
  isJoinable: boolean;
}

const clientLeft: Failure = { code: "internal_error", message: "The client left.", retryable: true };

/**
 * Prepares to run a streamed chat. `work` calls the provider, sends its chunks to the client and settles the chat. It rejects
 * with the client's error.
 */
export function createStreamRun(ctx: Ctx<ChatHub>, streamed: StreamedRequest) {
  const { hub } = ctx;
  const { request, generation, stream, connection, isJoinable } = streamed;
  const { dialect } = request;
  const progress = createStreamProgress();
  const keepsText = isJoinable || isKept(ctx, streamed);
  // Created even if no text is kept, because a retry may request the text until the first event has been sent.
  let transcript: Transcript | null = dialect.createTranscript();
  const sender = dialect.createSender(describeChat(streamed), stream);
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

    /** Tells the client why its stream ends early. */
    fail: (error: AppError) => sender.fail(error),

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
    if (state.state === "failed") {
      const hasLeft = stream.left.aborted && signal.aborted;
      return settle(hasLeft ? { kind: "left" } : { kind: "broken", failed: state }, attempts);
    }
    const onChunk = async (chunk: ChatChunk) => {
      const hadOutput = progress.hasOutput();
      progress.add(chunk);
      transcript?.add(chunk);
      // From the first output on, a chat whose process is killed must be charged.
      if (!hadOutput && progress.hasOutput()) beginOutput(hub, attempts, settlement);
      if (!stream.left.aborted) await sender.send(chunk, signal);
      if (!keepsText && stream.hasSent()) transcript = null;
      if (await settlement.hasReachedHold()) progress.cutOff();
    };
    const end = await readChunks(hub, { id: generation.id, chunks: state.chunks, progress, stream, onChunk, abort });
    if (end.kind === "broken") {
      const { route, started_at } = attempts.at(-1)!;
      const used = request.routes.find((one) => one.id === route)!;
      hub.services.routeHealth.recordFailure(used, describeRouteFailure(end.failed), started_at);
    }
    return settle(end, attempts);
  }

  async function settle(end: StreamEnd, attempts: AttemptRecord[]): Promise<void> {
    const attempt = attempts.at(-1);
    if (attempt) attempt.upstream_id = progress.upstreamId;
    if (end.kind === "complete") {
      const finishReason = progress.finishReason ?? "stop";
      const usage = await settlement.charge("succeeded", attempts, finishReason);
      await sender.finish(finishReason, usage);
    } else if (end.kind === "left") {
      if (attempt) attempt.outcome = "canceled";
      if (progress.hasOutput() || stream.hasSent()) await settlement.charge("canceled", attempts, "length");
      else await settlement.cancel(attempts);
    } else {
      const { failed } = end;
      if (attempt) Object.assign(attempt, { code: failed.error.code, cause: describeRouteFailure(failed).cause });
      if (!progress.hasOutput() || !stream.hasSent()) return settlement.fail(failed, attempts);
      if (attempt) attempt.outcome = "failed";
      await connection.breakOff();
      await settlement.charge("canceled", attempts, "length");
      throw chatError(hub, failed);
    }
  }
}

/** Records when the first token has arrived, and stores what it cost. */
function beginOutput(hub: ChatHub, attempts: AttemptRecord[], settlement: StreamSettlement): void {
  const attempt = attempts.at(-1);
  if (attempt) attempt.first_token_ms = Math.max(0, hub.now().getTime() - attempt.started_at.getTime());
  settlement.renewLease();
}

type StreamSettlement = Pick<ReturnType<typeof createStreamSettlement>, "renewLease">;

const describeChat = ({ request, generation, options }: StreamedRequest): StreamedAnswer => ({
  ...generation,
  includeUsage: options.includeUsage,
  countPrompt: () => countPrompt(request, generation.price as TokenPrice),
});

/** Returns whether the answer of a stream is kept, for its account, for a repeat or for later requests. */
const isKept = ({ account }: Ctx<ChatHub>, { request: { dialect }, generation }: StreamedRequest): boolean =>
  typeof account.replyRetentionDays === "number" || generation.idempotency_key !== null || dialect.store !== undefined;

interface Leaving {
  progress: StreamProgress;
  abort: (reason: ChatAborted) => void;
  /** Aborts when the chat has ended. */
  ended: AbortSignal;
}

/** Aborts the provider's request when the client leaves, if the hub can count what was used until then. */
function abortWhenLeft(hub: ChatHub, streamed: StreamedRequest, leaving: Leaving): void {
  const { request, generation, stream, isJoinable } = streamed;
  // Otherwise a client that leaves before the usage would not pay for what only the provider can count.
  if (!isText(request.input.messages) || request.model.supports.reasoning || mayMakeMedia(request)) return;
  const { progress, abort, ended } = leaving;
  const onLeft = async () => {
    if (isJoinable || !stream.hasSent()) await waitForNoRetry(hub, generation.id, ended);
    // After `finish_reason` the usage is about to arrive.
    if (progress.finishReason === null && progress.medium === null) abort(new ChatAborted(clientLeft));
  };
  if (stream.left.aborted) void onLeft();
  else stream.left.addEventListener("abort", () => void onLeft(), { once: true });
}

/** Returns whether an answer may have sound or pictures: as the request asks for, else as its model can make them. */
function mayMakeMedia({ input: { modalities }, model }: ChatRequest): boolean {
  const possible: unknown[] = Array.isArray(modalities) ? modalities : model.outputModalities;
  return possible.some((modality) => modality !== "text");
}

/** Waits until a chat has ended, or until no retry can join it any more. */
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

async function openStream(
  hub: ChatHub,
  { request, generation, options, connection }: StreamedRequest,
  signal: AbortSignal,
): Promise<CallOutcome<ChatStreamState>> {
  const extras = ({ refuse }: Route) => ({
    stream: true,
    // A route may declare that its server rejects the option; the hub then counts the tokens.
    ...(!refuse.includes("stream_options") && { stream_options: { ...options.sent, include_usage: true } }),
  });
  const method: CallMethod<ChatStreamState> = async (provider, chat) => {
    const state = await provider.streamChat!(chat, signal);
    return state.state === "failed" ? state : { ...state, chunks: showChunks(hub.exposure, state.chunks) };
  };
  try {
    return await callRoutes(hub, { request, generation, method, extras }, signal);
  } catch (error) {
    await leavePayment(generation, connection);
    await connection.beforeSettle();
    await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: toFailure(error), attempts: [] });
    throw error;
  }
}
