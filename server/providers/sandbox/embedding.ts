import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { z } from "zod";
import type { EmbedCall, EmbedState } from "../chat-call";
import { createRandom } from "./random";
import { countTokens } from "./text/tokens";

const MAX_TOKENS = 8_192;
const DIMENSIONS = 256;
const MAX_DIMENSIONS = 1_024;
const NUMBER_BYTES = 4;
const VECTORS_PER_TURN = 16;

/** The sandbox's model of vectors, in the format of an operator's catalogue file. */
export const sandboxEmbedding = {
  id: "sandbox-embedding",
  name: "Sandbox embedding",
  description:
    "Computes a vector of length one for each text: the same text always has the same vector, and other texts have " +
    "unrelated ones. Counts real tokens (o200k). Needs no key and no network. Runs are charged to your balance.",
  input_modalities: ["text"],
  output_modalities: ["embedding"],
  timeout_seconds: 60,
  llm: {
    input_cost_per_million: 0.02,
    output_cost_per_million: 0,
    context_length: MAX_TOKENS,
    max_output_tokens: 1,
  },
  routes: [{ provider: "sandbox", upstream_model: "sandbox-embedding" }],
};

const Body = z.object({
  input: z.union([z.string(), z.array(z.string()), z.array(z.number()), z.array(z.array(z.number()))]),
  dimensions: z.int().min(1).max(MAX_DIMENSIONS).default(DIMENSIONS),
});

/** Computes deterministic vectors. A text with `[fail]` fails. */
export async function computeEmbeddings({ body }: EmbedCall, signal: AbortSignal): Promise<EmbedState> {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return rejected(`dimensions may be 1 to ${MAX_DIMENSIONS}.`);
  const { input, dimensions } = parsed.data;
  const inputs = typeof input === "string" || typeof input[0] === "number" ? [input as string | number[]] : input;
  const vectors: Buffer[] = [];
  let promptTokens = 0;
  for (const one of inputs as (string | number[])[]) {
    const tokens = typeof one === "string" ? await countTokens(one, MAX_TOKENS) : one.length;
    if (tokens === null || tokens > MAX_TOKENS) return rejected(`A text has more than ${MAX_TOKENS} tokens.`);
    if (typeof one === "string" && one.includes("[fail]")) return rejected("The text says [fail].");
    promptTokens += tokens;
    vectors.push(computeVector(typeof one === "string" ? one : JSON.stringify(one), dimensions));
    if (vectors.length % VECTORS_PER_TURN === 0) await yieldToEventLoop();
    signal.throwIfAborted();
  }
  return { state: "succeeded", vectors, promptTokens };
}

function computeVector(text: string, dimensions: number): Buffer {
  const random = createRandom(text);
  const numbers = Array.from({ length: dimensions }, () => random.between(-1, 1));
  const length = Math.hypot(...numbers) || 1;
  const vector = Buffer.alloc(dimensions * NUMBER_BYTES);
  numbers.forEach((number, index) => vector.writeFloatLE(number / length, index * NUMBER_BYTES));
  return vector;
}

const rejected = (message: string): EmbedState => ({
  state: "failed",
  error: { code: "provider_error", message, retryable: false },
  started: true,
  cause: "job",
  upstreamStatus: 400,
});
