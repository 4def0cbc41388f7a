import { createTokenCounter } from "../../lib/estimate-tokens";
import type { ChatChunk } from "../../providers/chat-call";
import { isTokenCount, type Tokens } from "../pricing/usage";
import type { TokenPrice } from "../pricing/price";

/** What has arrived of a streamed chat. */
export interface StreamProgress {
  add(chunk: ChatChunk): void;
  finishReason: string | null;
  /** The newest usage that the provider has reported, with its other members. */
  usage: Record<string, unknown> | null;
  /** Whether the provider has reported its tokens with or after the end of the text. */
  hasFinalUsage(): boolean;
  /** Whether any text has arrived. */
  hasOutput(): boolean;
  /**
   * Returns the tokens to charge: the provider's counts, or what the hub has counted itself. Text that has arrived is
   * never free, whatever the provider says.
   */
  countTokens(promptTokens: number, price: TokenPrice): Tokens;
}

export function createStreamProgress(): StreamProgress {
  const counter = createTokenCounter();
  let hasOutput = false;
  let hasFinalUsage = false;
  const progress: StreamProgress = {
    finishReason: null,
    usage: null,
    add({ choices, usage }) {
      for (const { delta, finish_reason } of choices) {
        for (const text of listTexts(delta)) {
          hasOutput ||= text.length > 0;
          counter.push(text);
        }
        progress.finishReason = finish_reason ?? progress.finishReason;
      }
      if (typeof usage !== "object" || usage === null) return;
      progress.usage = usage as Record<string, unknown>;
      hasFinalUsage ||= progress.finishReason !== null;
    },
    hasFinalUsage: () => hasFinalUsage,
    hasOutput: () => hasOutput,
    countTokens(promptTokens, price) {
      const { prompt_tokens, completion_tokens } = progress.usage ?? {};
      const counted = Math.min(Math.max(counter.count(), hasOutput ? 1 : 0), price.most_output_tokens);
      const isPossible = isTokenCount(completion_tokens) && (completion_tokens > 0 || !hasOutput);
      return {
        input: isTokenCount(prompt_tokens) && prompt_tokens > 0 ? prompt_tokens : promptTokens,
        output: isPossible ? completion_tokens : counted,
      };
    },
  };
  return progress;
}

/** Members whose text repeats another's, or is none of the model's. */
const UNCOUNTED = new Set(["role", "reasoning_details", "annotations", "logprobs"]);
/** Members of tool calls and parts that name what follows. */
const LABELS = new Set(["id", "type", "index", "format"]);

/** Yields the texts of a delta that a model has made: content, reasoning, tool calls and whatever else there is. */
function* listTexts(delta: Record<string, unknown>): Generator<string> {
  // Some servers send the same text under both names.
  const repeatsReasoning = typeof delta.reasoning_content === "string";
  for (const [name, value] of Object.entries(delta)) {
    if (UNCOUNTED.has(name) || (repeatsReasoning && name === "reasoning")) continue;
    yield* listStrings(value);
  }
}

function* listStrings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) if (!LABELS.has(name)) yield* listStrings(member);
  }
}
