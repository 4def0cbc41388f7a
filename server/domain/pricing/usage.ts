import type { TokenClass } from "../../catalogue/price-units";

export type Tokens = Record<TokenClass, number>;

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
