import { type Ctx, runBodyWork } from "../../context";
import { AppError } from "../../errors";
import type { Route } from "../../catalogue/model";
import { type ChatChunk, ChatStreamBroken, type ChatStreamState, type FailedChat } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import type { Generation } from "../generations/generation";
import { settleChat } from "../generations/settle-chat";
import { computeCost } from "../pricing/cost";
import type { TokenPrice } from "../pricing/price";
import type { Tokens } from "../pricing/usage";
import { chatError, serializeCompletion, serializeUsage } from "./answer";
import type { AttemptRecord } from "../generations/attempts";
import type { CallMethod, CallOutcome } from "./call-providers";
import { callRoutes, toFailure } from "./call-routes";
import { countPrompt, isText } from "./count-prompt";
import { describeRouteFailure } from "./describe-route-failure";
import type { EventStream } from "./event-stream";
import { ChatAborted } from "./in-flight";
import { serializeReply } from "./reply";
import type { ChatRequest } from "./request";
import { createChunkSender } from "./send-chunks";
import type { StreamOptions } from "./stream-chat";
import { createStreamProgress } from "./stream-progress";
import { createTranscript } from "./transcript";

interface StreamedRequest {
  request: ChatRequest;
  generation: Generation;
  options: StreamOptions;
  stream: EventStream;
}

const streamMethod: CallMethod<ChatStreamState> = (provider, chat, signal) => provider.streamChat!(chat, signal);

const clientLeft: Failure = { code: "internal_error", message: "The client left.", retryable: true };
const noUsage: Failure = { code: "internal_error", message: "The provider reported no usage.", retryable: true };

/** How a stream ended: whole, early because the client left, or by a fault. */
type End = { kind: "complete" } | { kind: "left" } | { kind: "broken"; failed: FailedChat };

/**
 * Prepares to run a streamed chat. `work` calls the provider, sends what arrives and settles; it rejects with the error
 * for the client. `renewLease` also stores the tokens so far, by which the chat is charged if the process is killed.
 */
export function createStreamRun(ctx: Ctx, { request, generation, options, stream }: StreamedRequest) {
  const { hub, account } = ctx;
  const { id, estimated_cost: estimate } = generation;
  const price = generation.price as TokenPrice;
  const progress = createStreamProgress();
  const sender = createChunkSender(generation, stream, options.includeUsage);
  const keepsReplies = typeof account.replyRetentionDays === "number";
  const transcript = keepsReplies || generation.idempotency_key !== null ? createTranscript() : null;
  const internal = new AbortController();
  let prompt: Promise<number> | undefined;
  // What only the provider can count would be free for a client that leaves before the usage.
  const isCountable = isText(request.input.messages) && !request.model.supports.reasoning;

  const countTokens = async (): Promise<Tokens> =>
    progress.countTokens(await (prompt ??= countPrompt(request, price)), price);

  const renewLease = () => {
    if (!progress.hasOutput()) return hub.services.renewLease(id);
    void countTokens().then((tokens) => hub.services.renewLease(id, cap(tokens, price)));
  };

  const settle = async (to: "succeeded" | "canceled", attempts: AttemptRecord[], finishReason: string) => {
    const tokens = await countTokens();
    const cost = computeCost(price, estimate, { tokens });
    const charged = cost < estimate ? cost : estimate;
    const attempt = attempts.at(-1);
    if (attempt) Object.assign(attempt, { cost: String(cost), ended_at: hub.now() });
    const usage = serializeUsage(progress.usage, tokens, charged);
    const completion = transcript?.toCompletion(finishReason);
    const write = () => completion && serializeCompletion({ ...completion, usage }, generation, tokens, charged);
    const isSettled = await settleChat(hub, id, {
      to,
      cost,
      tokens,
      attempts,
      answer: generation.idempotency_key === null ? undefined : await runBodyWork({ hub, isLarge: true }, write),
      reply: keepsReplies && completion ? serializeReply(completion) : undefined,
    });
    // The sweep has ended the chat, by the tokens that were stored last.
    if (!isSettled) throw new AppError("provider_error", "The answer came too late.", {}, { "Retry-After": "1" });
    return usage;
  };

  const fail = async (failed: FailedChat, attempts: AttemptRecord[]): Promise<never> => {
    const attempt = attempts.at(-1);
    if (attempt?.outcome === "succeeded") Object.assign(attempt, { outcome: "failed", cost: "0", ended_at: hub.now() });
    await settleChat(hub, id, { to: "failed", cost: 0n, error: failed.error, attempts });
    throw chatError(failed);
  };

  const extras = ({ refuse }: Route) => ({
    stream: true,
    // An operator may know a server that does not accept the option; its tokens are counted.
    ...(!refuse.includes("stream_options") && { stream_options: { ...options.sent, include_usage: true } }),
  });

  const open = async (signal: AbortSignal): Promise<CallOutcome<ChatStreamState>> => {
    try {
      return await callRoutes(hub, { request, generation, method: streamMethod, extras }, signal);
    } catch (error) {
      await settleChat(hub, id, { to: "failed", cost: 0n, error: toFailure(error), attempts: [] });
      throw error;
    }
  };

  const take = async (chunk: ChatChunk, signal: AbortSignal) => {
    const isFirst = !progress.hasOutput();
    progress.add(chunk);
    transcript?.add(chunk);
    if (isFirst && progress.hasOutput()) renewLease();
    if (!stream.left.aborted) await sender.send(chunk, signal);
  };

  const read = async (chunks: AsyncGenerator<ChatChunk, void>, signal: AbortSignal): Promise<End> => {
    let usageTimer: NodeJS.Timeout | undefined;
    try {
      for await (const chunk of chunks) {
        await take(chunk, signal);
        if (progress.finishReason === null) continue;
        if (progress.hasFinalUsage()) break;
        usageTimer ??= setTimeout(() => internal.abort(new ChatAborted(noUsage)), hub.services.streamTimes.usageMs);
      }
    } catch (error) {
      if (!(error instanceof ChatStreamBroken || error instanceof ChatAborted))
        hub.log.error({ err: error, generation: id }, "stream failed");
      // The text is complete, so the only loss is the provider's count.
      if (progress.finishReason === null) return describeEnd(error, stream);
    } finally {
      clearTimeout(usageTimer);
    }
    const isEmpty = progress.finishReason === null && !progress.hasOutput();
    return isEmpty ? { kind: "broken", failed: emptyStream } : { kind: "complete" };
  };

  const conclude = async (end: End, attempts: AttemptRecord[]) => {
    if (end.kind === "complete") {
      const finishReason = progress.finishReason ?? "stop";
      return sender.finish(finishReason, await settle("succeeded", attempts, finishReason));
    }
    const attempt = attempts.at(-1);
    if (end.kind === "left") {
      if (attempt) attempt.outcome = "canceled";
      await settle("canceled", attempts, "length");
      return;
    }
    if (!progress.hasOutput()) return fail(end.failed, attempts);
    if (attempt) attempt.outcome = "failed";
    await settle("canceled", attempts, "length");
    throw chatError(end.failed);
  };

  return {
    renewLease,
    async work(timeout: AbortSignal): Promise<void> {
      const onLeft = () => {
        // After the last word the usage is about to arrive.
        if (isCountable && progress.finishReason === null) internal.abort(new ChatAborted(clientLeft));
      };
      stream.left.addEventListener("abort", onLeft, { once: true });
      if (stream.left.aborted) onLeft();
      const signal = AbortSignal.any([timeout, internal.signal]);
      const { state, attempts } = await open(signal);
      if (state.state === "failed") {
        const wasAborted = stream.left.aborted && signal.aborted;
        return conclude(wasAborted ? { kind: "left" } : { kind: "broken", failed: state }, attempts);
      }
      const end = await read(state.chunks, signal);
      if (end.kind === "broken") {
        const { route, started_at } = attempts.at(-1)!;
        const failedRoute = request.routes.find((one) => one.id === route)!;
        hub.services.routeHealth.recordFailure(failedRoute, describeRouteFailure(end.failed), started_at);
      }
      return conclude(end, attempts);
    },
  };
}

function describeEnd(error: unknown, stream: EventStream): End {
  if (error instanceof ChatStreamBroken) return { kind: "broken", failed: error.failed };
  if (error instanceof ChatAborted && stream.left.aborted) return { kind: "left" };
  const failure = error instanceof ChatAborted ? error.failure : toFailure(error);
  return { kind: "broken", failed: { state: "failed", error: failure, started: true } };
}

const emptyStream: FailedChat = {
  state: "failed",
  error: { code: "invalid_output", message: "The provider's stream was empty.", retryable: true },
  started: true,
  upstreamStatus: 200,
};

/** What is stored of a running chat fits into its columns and its hold. */
const cap = ({ input, output }: Tokens, { most_input_tokens, most_output_tokens }: TokenPrice): Tokens => ({
  input: Math.min(input, most_input_tokens),
  output: Math.min(output, most_output_tokens),
});
