import type { Tier } from "../../catalogue/model";
import type { Hub } from "../../context";
import { divCeil, mulCeil, type Nano, parseDecimal } from "../../lib/money";
import type { Price, TokenPrice } from "./price";

export interface Tokens {
  input: number;
  output: number;
}

/**
 * What a job used, as far as its provider reports it. GPU time is metered and priced in the database
 * (workers/meter.ts).
 */
export interface Usage {
  tokens?: Tokens;
  /** Pictures that were delivered. */
  pictures?: number;
  /** Megapixels of all pictures together, each rounded up. */
  megapixels?: number;
  /** Seconds of audio or video, and of computing. */
  seconds?: number;
  computeSeconds?: number;
}

/** Far above any real job; a larger count could overflow a money column. */
const MAX_TOKEN_COUNT = 1_000_000_000;

/** Returns whether a reported token count is plausible. */
export const isTokenCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKEN_COUNT;

/**
 * Returns the cost of a success at its frozen price, in nano-euros rounded up once. It may exceed the estimate:
 * settlement caps the charge and records the excess. Missing or implausible usage costs the estimate, because nothing
 * else is known.
 */
export function computeCost(price: Price, estimate: Nano, usage: Usage): Nano {
  if (price.by !== "token" || !usage.tokens) return estimate;
  const { input, output } = usage.tokens;
  return isTokenCount(input) && isTokenCount(output) ? tokenCost(price, usage.tokens) : estimate;
}

/** Returns how many units of its price a generation used, or asked for while the usage is not known. */
export const countUnits = (_price: unknown, _usage?: Usage): bigint => 1n;

/** Returns the cost of a tier at today's exchange rate, in nano-euros rounded up once. */
export const tierCost = ({ env }: Pick<Hub, "env">, { priceUsd }: Tier): Nano =>
  mulCeil(priceUsd, parseDecimal(env.EUR_PER_USD));

/** Returns the cost of input and output tokens together, in nano-euros rounded up once. */
export const tokenCost = ({ input_per_million, output_per_million }: TokenPrice, { input, output }: Tokens): Nano =>
  divCeil(
    parseDecimal(input_per_million) * BigInt(input) + parseDecimal(output_per_million) * BigInt(output),
    1_000_000n,
  );

/** Returns how many output tokens an amount covers after the whole prompt; 0 when it does not cover the prompt. */
export function affordableTokens(price: TokenPrice, available: Nano): number {
  const rest = available * 1_000_000n - parseDecimal(price.input_per_million) * BigInt(price.most_input_tokens);
  const perToken = parseDecimal(price.output_per_million);
  if (rest < 0n) return 0;
  const maxTokens = BigInt(price.most_output_tokens);
  return Number(perToken === 0n || rest / perToken > maxTokens ? maxTokens : rest / perToken);
}
