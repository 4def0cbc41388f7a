import type { Ctx } from "../../context";
import { responseTooLate } from "../../errors";
import type { Nano } from "../../lib/money";
import type { FailedChat } from "../../providers/chat-call";
import { showUsage } from "../exposure";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/row";
import { settleChat } from "../generations/end";
import { computeCost } from "../pricing";
import { chargeFor, tokenCost, type TokenPrice } from "../tokens";
import { chatError } from "./chat-error";
import { type BilledUsage, type EventStream, serializeUsage, type Transcript } from "../dialects";
import type { Connection } from "./connection";
import { type ChargedUsage, findChargedUsage, findProviderCost, logImplausibleUsage } from "./charged-usage";
import { countPrompt } from "./count-prompt";
import { leavePayment } from "./find-earlier";
import type { ChatHub } from "./hub";
import { findRequestedTier } from "./native-members";
import { serializeReply } from "./reply";
import type { ChatRequest } from "./request";
import type { StreamProgress } from "./stream-progress";

interface Settlement {
  request: ChatRequest;
  generation: Generation;
  progress: StreamProgress;
  stream: EventStream;
  connection: Connection;
  /** Returns the text so far; null if nobody can request it later. */
  transcript: () => Transcript | null;
}

/** Returns the functions that store what a streamed chat has used while it runs, and that settle it at its end. */
export function createStreamSettlement(
  ctx: Ctx<ChatHub>,
  { request, generation, progress, stream, connection, transcript }: Settlement,
) {
  const { hub, account } = ctx;
  const { id, estimated_cost: estimate, idempotency_key: key } = generation;
  const price = generation.price as TokenPrice;
  const keepsReplies = typeof account.replyRetentionDays === "number";
  const countUsage = createUsageCount(request, progress, price);
  let answer: string | null = null;

  const endAttempt = (attempts: AttemptRecord[], costOf: (attempt: AttemptRecord) => Nano) => {
    const attempt = attempts.at(-1);
    if (attempt) Object.assign(attempt, { cost: String(costOf(attempt)), ended_at: hub.now() });
  };

  /** Builds the response body and the reply from the text that was kept. */
  const compose = (finishReason: string, usage: BilledUsage) => {
    const completion = transcript()?.toCompletion(finishReason);
    if (!completion) return {};
    const body = request.dialect.buildAnswer(completion, generation, usage);
    answer = JSON.stringify(body);
    return { body, reply: keepsReplies ? serializeReply(completion) : undefined };
  };

  /** Returns the response body as it is stored for a repeat; undefined if there is none, or nobody can repeat the chat. */
  const toStored = async () => {
    const isRepeatable = key !== null || (await connection.beforeSettle());
    return isRepeatable && answer !== null ? connection.toStored(id, answer) : undefined;
  };

  return {
    /** Renews the lease and stores the tokens so far, which the chat is charged for if the process is killed. */
    renewLease(): void {
      const isUndelivered = stream.left.aborted && !stream.hasSent();
      if (!progress.hasOutput() || isUndelivered) return hub.services.renewLease(id);
      void countUsage().then((usage) => hub.services.renewLease(id, usage));
    },

    /** Returns whether the text so far surely costs the whole hold, although its provider was given a lower limit. */
    async hasReachedHold(): Promise<boolean> {
      if (progress.countMinOutput() <= price.most_output_tokens) return false;
      return tokenCost(price, await countUsage()) >= estimate;
    },

    /** Charges what was used, and returns it as `usage`. */
    async charge(to: "succeeded" | "canceled", attempts: AttemptRecord[], finishReason: string) {
      const used = await countUsage();
      if (used.isImplausible) logImplausibleUsage(hub, generation, progress.usage);
      const cost = computeCost(price, estimate, used);
      const charged = chargeFor(price, estimate, cost);
      endAttempt(attempts, (attempt) => findProviderCost(hub, request, attempt, used) ?? cost);
      const usage = serializeUsage(showUsage(hub.exposure, progress.usage), used.tokens, charged);
      const { body, reply } = compose(finishReason, usage);
      const stored = await toStored();
      const isSettled = await settleChat(hub, id, {
        to,
        cost,
        usage: used,
        attempts,
        answer: stored,
        reply,
        limits: account.limits,
      });
      // The sweep has ended the chat, and charged the tokens that were stored last.
      if (!isSettled) throw responseTooLate();
      if (body && to === "succeeded") await request.dialect.store?.(body, generation);
      return usage;
    },

    /** Cancels a chat without output whose client has left. It costs nothing. */
    async cancel(attempts: AttemptRecord[]): Promise<void> {
      endAttempt(attempts, () => 0n);
      await leavePayment(generation, connection);
      await connection.beforeSettle();
      await settleChat(hub, id, { to: "canceled", cost: 0n, attempts });
    },

    /** The response body of a chat that was charged, if its text was kept. */
    answer: () => answer,

    /** Ends the chat, which costs nothing, and throws its error. */
    async fail(failed: FailedChat, attempts: AttemptRecord[]): Promise<never> {
      const attempt = attempts.at(-1);
      if (attempt?.outcome === "succeeded") {
        Object.assign(attempt, { outcome: "failed", cost: "0", ended_at: hub.now() });
      }
      await leavePayment(generation, connection);
      await connection.beforeSettle();
      await settleChat(hub, id, { to: "failed", cost: 0n, error: failed.error, attempts });
      throw chatError(hub, failed);
    },
  };
}

/** Returns a function that returns what the stream has used so far. The prompt is counted once, and only if needed. */
function createUsageCount(
  request: ChatRequest,
  progress: StreamProgress,
  price: TokenPrice,
): () => Promise<ChargedUsage> {
  let prompt: Promise<number> | undefined;
  return () => {
    const { usage, serviceTier } = progress;
    const text = {
      hasOutput: progress.hasOutput(),
      medium: progress.medium,
      countPrompt: () => (prompt ??= countPrompt(request, price)),
      countOutput: () => progress.countOutput(),
      countMinOutput: () => progress.countMinOutput(),
    };
    const reported = { usage, serviceTier, isCurrent: progress.isUsageCurrent() };
    return findChargedUsage(reported, text, price, findRequestedTier(request));
  };
}
