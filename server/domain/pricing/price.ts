import type { FrozenBook } from "../../catalogue/frozen-book";
import type { PriceUnit } from "../../catalogue/price-units";
import type { TokenPrice, TokenUsage } from "../tokens";

export type TierPrice = Extract<Price, { by: "tier" }>;

/** The price of a generation other than a chat. */
export type MediaPrice = Exclude<Price, { by: "token" }>;

/**
 * The price of a generation, stored with it as JSON so that later changes of prices and exchange rates do not affect
 * it.
 */
export type Price =
  /** Cost = USD × units × rate. */
  | {
      by: "tier";
      match: Record<string, unknown>;
      /** The price of a generation, or of its first unit. */
      price_usd: number;
      eur_per_usd: number;
      /** Absent if the price is per generation. */
      unit?: PriceUnit;
      /** Units that the input asks for, up to which it is billed. */
      quantity?: number;
      /** The price of each further unit, if it differs: after the first one, or the first megapixel of each picture. */
      next_price_usd?: number;
      /** Pictures that the megapixels are for, and the megapixels of the input pictures that each of them counts. */
      pictures?: number;
      input_megapixels?: number;
      /** The terms of the account's book at that time; absent without a book. */
      book?: FrozenBook;
    }
  | TokenPrice
  /** EUR per second, and the maximum seconds that the estimate covers. */
  | { by: "gpu-second"; price_per_second: number; most_seconds: number; book?: FrozenBook };

/**
 * What a job used, as far as its provider reports it. GPU time is metered and priced in the database
 * (generations/end/meter.ts).
 */
export interface Usage extends Partial<TokenUsage> {
  /** Pictures that were delivered. */
  pictures?: number;
  /** Megapixels of all pictures together, each rounded up. */
  megapixels?: number;
  /** Seconds of audio or video. */
  seconds?: number;
  /** Seconds of computing. */
  computeSeconds?: number;
}
