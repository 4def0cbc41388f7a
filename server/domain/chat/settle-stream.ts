import { type Ctx, runBodyWork } from "../../context";
import { AppError } from "../../errors";
import type { FailedChat } from "../../providers/chat-call";
import type { AttemptRecord } from "../generations/attempts";
import type { Generation } from "../generations/generation";
import { settleChat } from "../generations/settle-chat";
import { computeCost } from "../pricing/cost";
import type { TokenPrice } from "../pricing/price";
import type { Tokens } from "../pricing/usage";
import { chatError, serializeCompletion, serializeUsage } from "./answer";
import { findChargedTokens } from "./charged-tokens";
import { countPrompt } from "./count-prompt";
import { serializeReply } from "./reply";
import type { ChatRequest } from "./request";
import type { StreamProgress } from "./stream-progress";
import type { Transcript } from "./transcript";

interface Settlement {
  request: ChatRequest;
  generation: Generation;
  progress: StreamProgress;
  /** Null if nobody can ask for the text later. */
  transcript: Transcript | null;
}

/** Returns how a streamed chat is charged: while it runs, when it has used something, and when it has failed. */
export function createStreamSettlement(ctx: Ctx, { request, generation, progress, transcript }: Settlement) {
  const { hub, account } = ctx;
  const { id, estimated_cost: estimate, idempotency_key: key } = generation;
  const price = generation.price as TokenPrice;
  const keepsReplies = typeof account.replyRetentionDays === "number";
  let prompt: Promise<number> | undefined;

  const countTokens = (): Promise<Tokens> =>
    findChargedTokens(
      progress.usage,
      {
        hasOutput: progress.hasOutput(),
        countPrompt: () => (prompt ??= countPrompt(request, price)),
        countOutput: progress.countOutput,
      },
      price,
    );

  return {
    /** Renews the lease and stores the tokens so far, by which the chat is charged if the process is killed. */
    renewLease(): void {
      if (!progress.hasOutput()) return hub.services.renewLease(id);
      void countTokens().then((tokens) => hub.services.renewLease(id, capTokens(tokens, price)));
    },

    /** Charges what was used and returns it as `usage`. */
    async charge(to: "succeeded" | "canceled", attempts: AttemptRecord[], finishReason: string) {
      const tokens = await countTokens();
      const cost = computeCost(price, estimate, { tokens });
      const charged = cost < estimate ? cost : estimate;
      const attempt = attempts.at(-1);
      if (attempt) Object.assign(attempt, { cost: String(cost), ended_at: hub.now() });
      const usage = serializeUsage(progress.usage, tokens, charged);
      const completion = transcript?.toCompletion(finishReason);
      const write = () => completion && serializeCompletion({ ...completion, usage }, generation, tokens, charged);
      const answer = key === null ? undefined : await runBodyWork({ hub, isLarge: true }, write);
      const reply = keepsReplies && completion ? serializeReply(completion) : undefined;
      const isSettled = await settleChat(hub, id, { to, cost, tokens, attempts, answer, reply });
      // The sweep has ended the chat, by the tokens that were stored last.
      if (!isSettled) throw new AppError("provider_error", "The answer came too late.", {}, { "Retry-After": "1" });
      return usage;
    },

    /** Ends the chat, which costs nothing, and throws its error. */
    async fail(failed: FailedChat, attempts: AttemptRecord[]): Promise<never> {
      const attempt = attempts.at(-1);
      if (attempt?.outcome === "succeeded") {
        Object.assign(attempt, { outcome: "failed", cost: "0", ended_at: hub.now() });
      }
      await settleChat(hub, id, { to: "failed", cost: 0n, error: failed.error, attempts });
      throw chatError(failed);
    },
  };
}

/** What is stored of a running chat fits into its columns and its hold. */
const capTokens = ({ input, output }: Tokens, { most_input_tokens, most_output_tokens }: TokenPrice): Tokens => ({
  input: Math.min(input, most_input_tokens),
  output: Math.min(output, most_output_tokens),
});
