import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { checkTokenLimit, findTokenLimit } from "../rates";
import { type ChatEstimate, limitEstimate } from "../tokens";
import { countTexts, isText, withUntranslated } from "./count-prompt";
import type { ChatHub } from "./hub";
import type { ChatRequest } from "./request";

/** The share of the limit of tokens per minute for the output of a chat without its own limit, so that several chats fit. */
const OUTPUT_SHARE = 1 / 8;
const MIN_OUTPUT_TOKENS = 4_096;

interface LimitedChat {
  estimate: ChatEstimate;
  /** The tokens of the prompt that count against the limit, until its provider has counted them; zero without a limit. */
  promptTokens: number;
}

/**
 * Returns the estimate that fits into the limit of tokens a minute of the key or the account (decision 110). A chat without an
 * output limit gets one, and so does every chat in a dialect that clamps. Throws a 400 for a chat that exceeds the limit of a
 * whole minute.
 */
export async function limitTokens(ctx: Ctx<ChatHub>, request: ChatRequest, full: ChatEstimate): Promise<LimitedChat> {
  const limit = findTokenLimit(ctx);
  if (limit === null) return { estimate: full, promptTokens: 0 };
  const { input, dialect } = request;
  const { most_input_tokens, most_output_tokens } = full.price;
  const texts = await countTexts(withUntranslated(request));
  // With at least one token of output.
  checkTokenLimit(limit, "messages", texts + 1);
  // Only the provider knows the tokens of pictures and files.
  const promptTokens = isText(input.messages) ? Math.min(texts, most_input_tokens) : most_input_tokens;
  const room = limit.quota - texts;
  const place = ["max_tokens", "max_completion_tokens"].find((name) => typeof input[name] === "number");
  if (place !== undefined && !dialect.clampsOutput) {
    if (most_output_tokens > room)
      throw invalidInput(
        place,
        `must be at most ${room}, because this ${limit.owner} may use ${limit.quota} tokens a minute`,
      );
    return { estimate: full, promptTokens };
  }
  const output = Math.min(room, Math.max(MIN_OUTPUT_TOKENS, Math.floor(limit.quota * OUTPUT_SHARE)));
  if (most_output_tokens <= output) return { estimate: full, promptTokens };
  const { price, ...rest } = limitEstimate(full, output);
  return { estimate: { ...rest, price: dialect.clampsOutput ? { ...price, clamped: true } : price }, promptTokens };
}
