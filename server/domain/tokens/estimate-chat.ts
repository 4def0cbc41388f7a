import { mapNames, optionalTokenClasses, type OptionalTokenClass, tokenClasses } from "../../catalogue/token-classes";
import type { TokenPriceList, TokenPrices, TokenPricing } from "../../catalogue/pricing";
import { divCeil, type Nano, NANO_PER_UNIT as NANO, toEuros } from "../../lib/money";
import { runAtOnce, type SlicedWork } from "../../lib/slices";
import { type MaxTokens, maxTokens } from "./max-tokens";
import type { TokenPrice } from "./token-price";
import { findReach, type Reach } from "./reach";

/** The most that a chat can cost, in nano-euros rounded up once, and its frozen price. */
export interface ChatEstimate {
  cost: Nano;
  price: TokenPrice;
  /** What the prompt costs at most, and each output token, in parts of a nano-euro. */
  most: { prompt: bigint; perOutputToken: bigint };
}

/** Prices are per million tokens, and a tier of service multiplies them by an amount in nano. */
const PARTS = 1_000_000n * NANO;

/** Returns the estimate of a chat's input: the dearest that it can reach, token by token. */
export const estimateChat = (pricing: TokenPricing, input: Record<string, unknown>): ChatEstimate =>
  runAtOnce(estimateChatInSlices(pricing, input));

/** Returns the same estimate by work that pauses. */
export function* estimateChatInSlices(pricing: TokenPricing, input: Record<string, unknown>): SlicedWork<ChatEstimate> {
  return estimateTokens(pricing, yield* maxTokens(pricing, input), findReach(pricing, input));
}

const PLAIN: Reach = { writes: null, makesAudio: false, serviceTier: null };

/** Returns the estimate of that many tokens, which the generation may use at most. */
export function estimateTokens(pricing: TokenPricing, tokens: MaxTokens, reach: Reach = PLAIN): ChatEstimate {
  const lengths = [
    pricing.perMillion,
    ...pricing.longContext.filter(({ above }) => tokens.input > above).map(({ perMillion }) => perMillion),
  ];
  const dearest = (names: OptionalTokenClass[], total: "input" | "output") =>
    max(lengths.flatMap((prices) => [prices[total], ...names.map((name) => priceOf(prices, name))]));
  const written: OptionalTokenClass[] =
    reach.writes === null ? [] : reach.writes === "long" ? ["cache_write", "cache_write_long"] : ["cache_write"];
  const multiplier = max([NANO, ...listMultipliers(pricing, reach)]);
  const prompt = costPrompt(tokens, {
    text: dearest(written, "input"),
    audio: dearest([...written, "audio_input"], "input"),
    image: dearest([...written, "image_input"], "input"),
  });
  const perToken = dearest(reach.makesAudio ? ["reasoning", "audio_output"] : ["reasoning"], "output");
  const most = { prompt: prompt * multiplier, perOutputToken: perToken * multiplier };
  const price: TokenPrice = {
    by: "token",
    ...freezePriceList(pricing),
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

const priceOf = (prices: TokenPrices, name: OptionalTokenClass): Nano =>
  prices[name] ?? prices[tokenClasses[name].within];

/** Returns what a tier of service may multiply prices by: `auto` leaves the choice to the provider. */
const listMultipliers = ({ serviceTiers }: TokenPricing, { serviceTier }: Reach): Nano[] => {
  if (serviceTier === "auto") return Object.values(serviceTiers);
  return serviceTier !== null && Object.hasOwn(serviceTiers, serviceTier) ? [serviceTiers[serviceTier]!] : [];
};

/** Returns the most that a prompt costs, per million: its media first, as far as it has them, from the dearest down. */
function costPrompt({ input, audio, image }: MaxTokens, prices: Record<"text" | "audio" | "image", Nano>): bigint {
  let left = input;
  let cost = 0n;
  const parts = [
    { tokens: audio, price: prices.audio },
    { tokens: image, price: prices.image },
    { tokens: Infinity, price: prices.text },
  ].sort((one, other) => Number(other.price - one.price));
  for (const { tokens, price } of parts) {
    const counted = Math.min(tokens, left);
    cost += price * BigInt(counted);
    left -= counted;
  }
  return cost;
}

/** Returns prices as they are stored with a generation. */
export const freezePriceList = ({ perMillion, longContext, serviceTiers }: TokenPriceList) => ({
  ...freezePrices(perMillion),
  ...(longContext.length > 0 && {
    long_context: longContext.map(({ above, perMillion: prices }) => ({ above, ...freezePrices(prices) })),
  }),
  ...(Object.keys(serviceTiers).length > 0 && {
    service_tiers: mapNames(Object.keys(serviceTiers), "", (tier) => toEuros(serviceTiers[tier]!)),
  }),
});

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
