import { factorOf, freezeBook } from "../../catalogue/frozen-book";
import { mapNames, optionalTokenClasses, type TokenClass, tokenClasses } from "../../catalogue/token-classes";
import type { TokenPriceList, TokenPrices, TokenPricing } from "../../catalogue/pricing";
import { divCeil, type Nano, NANO_PER_UNIT as NANO, toEuros } from "../../lib/money";
import { memoizePer } from "../../lib/memoize-per";
import { runAtOnce, type SlicedWork } from "../../lib/slices";
import { type FileTokens, type MaxTokens, maxTokens } from "./max-tokens";
import type { TokenPrice } from "./token-price";
import { findReach, type Reach } from "./reach";

/** The most that a chat can cost, in nano-euros rounded up once, and its frozen price. */
export interface ChatEstimate {
  cost: Nano;
  price: TokenPrice;
  /** What the prompt costs at most, and each output token, in parts of a nano-euro. */
  most: { prompt: bigint; perOutputToken: bigint };
}

/** Prices are per million tokens, and a tier of service and a book each multiply them by an amount in nano. */
const PARTS = 1_000_000n * NANO * NANO;

/** Returns the estimate of a chat with this input: the highest cost that it can reach. */
export const estimateChat = (pricing: TokenPricing, input: Record<string, unknown>): ChatEstimate =>
  runAtOnce(estimateChatInSlices(pricing, input));

/** Returns the same estimate in work that pauses, including the tokens of files that the chat names. */
export function* estimateChatInSlices(
  pricing: TokenPricing,
  input: Record<string, unknown>,
  fileTokens?: FileTokens,
): SlicedWork<ChatEstimate> {
  return estimateTokenCost(pricing, yield* maxTokens(pricing, input, fileTokens), findReach(pricing, input));
}

const WRITES: Record<"short" | "long", TokenClass[]> = {
  short: ["cache_write"],
  long: ["cache_write", "cache_write_long"],
};

const PLAIN: Reach = { writes: null, makesAudio: false, serviceTier: null };

/** Returns the estimate for the maximum tokens that a generation may use. */
export function estimateTokenCost(pricing: TokenPricing, tokens: MaxTokens, reach: Reach = PLAIN): ChatEstimate {
  const lengths = [
    pricing.perMillion,
    ...pricing.longContext.filter(({ above }) => tokens.input > above).map(({ perMillion }) => perMillion),
  ];
  const dearest = (names: TokenClass[]) =>
    max(lengths.map((prices) => max(names.map((name) => priceOf(prices, name)))));
  const multiplier = max([NANO, ...listMultipliers(pricing, reach)]) * factorOf(pricing.book);
  const text: TokenClass[] = ["input", ...(reach.writes === null ? [] : WRITES[reach.writes])];
  const partOf = (count: number, ...names: TokenClass[]) => ({ count, price: dearest([...text, ...names]) });
  const parts = [partOf(tokens.audio, "audio_input"), partOf(tokens.image, "image_input"), partOf(Infinity)];
  const perToken = dearest(reach.makesAudio ? ["output", "reasoning", "audio_output"] : ["output", "reasoning"]);
  const most = { prompt: costPrompt(tokens.input, parts) * multiplier, perOutputToken: perToken * multiplier };
  const price: TokenPrice = {
    by: "token",
    ...freezePriceList(pricing),
    ...freezeBook(pricing.book),
    ...(reach.writes === "long" && { writes_long: true as const }),
    most_input_tokens: tokens.input,
    most_output_tokens: tokens.output,
  };
  return limitEstimate({ price, most }, tokens.output);
}

/** Returns the estimate of a chat with another limit of its output tokens. */
export const limitEstimate = (
  { price, most }: Pick<ChatEstimate, "price" | "most">,
  outputTokens: number,
): ChatEstimate => ({
  cost: divCeil(most.prompt + most.perOutputToken * BigInt(outputTokens), PARTS),
  price: { ...price, most_output_tokens: outputTokens },
  most,
});

/** Returns how many output tokens an amount covers after the whole prompt; 0 when it does not cover the prompt. */
export function affordableTokens({ price, most }: ChatEstimate, available: Nano): number {
  const rest = available * PARTS - most.prompt;
  if (rest < 0n) return 0;
  const maxTokens = BigInt(price.most_output_tokens);
  const { perOutputToken } = most;
  return Number(perOutputToken === 0n || rest / perOutputToken > maxTokens ? maxTokens : rest / perOutputToken);
}

const priceOf = (prices: TokenPrices, name: TokenClass): Nano => prices[name] ?? prices[tokenClasses[name].within];

/** Returns the factors that a tier of service may apply to prices: `auto` leaves the choice to the provider. */
const listMultipliers = ({ serviceTiers }: TokenPricing, { serviceTier }: Reach): Nano[] => {
  if (serviceTier === "auto") return Object.values(serviceTiers);
  return serviceTier !== null && Object.hasOwn(serviceTiers, serviceTier) ? [serviceTiers[serviceTier]!] : [];
};

/** Returns the highest cost of a prompt, per million, if each part has at most `count` tokens: the dearest parts first. */
function costPrompt(tokens: number, parts: { count: number; price: Nano }[]): bigint {
  let left = tokens;
  let cost = 0n;
  for (const { count, price } of parts.sort((one, other) => Number(other.price - one.price))) {
    const counted = Math.min(count, left);
    cost += price * BigInt(counted);
    left -= counted;
  }
  return cost;
}

/** Returns prices as they are stored with a generation. */
export const freezePriceList = memoizePer(({ perMillion, longContext, serviceTiers }: TokenPriceList) => ({
  ...freezePrices(perMillion),
  ...(longContext.length > 0 && {
    long_context: longContext.map(({ above, perMillion: prices }) => ({ above, ...freezePrices(prices) })),
  }),
  ...(Object.keys(serviceTiers).length > 0 && {
    service_tiers: mapNames(Object.keys(serviceTiers), "", (tier) => toEuros(serviceTiers[tier]!)),
  }),
}));

const freezePrices = (prices: TokenPrices) => ({
  input_per_million: toEuros(prices.input),
  output_per_million: toEuros(prices.output),
  ...mapNames(
    optionalTokenClasses.filter((name) => prices[name] !== undefined),
    "_per_million",
    (name) => toEuros(prices[name]!),
  ),
});

const max = (amounts: Nano[]): Nano => amounts.reduce((most, amount) => (amount > most ? amount : most));
