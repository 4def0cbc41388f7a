export type TokenPrice = Extract<Price, { by: "token" }>;

/** How a price came about, frozen on the record as plain JSON: later changes of prices and rates do not touch it. */
export type Price =
  /** Cost = USD × rate. */
  | { by: "tier"; match: Record<string, unknown>; price_usd: number; eur_per_usd: number }
  /** EUR for a million tokens, and the most tokens that the estimate covers. */
  | {
      by: "token";
      input_per_million: number;
      output_per_million: number;
      most_input_tokens: number;
      most_output_tokens: number;
    }
  /** EUR for a second, and the most seconds that the estimate covers. */
  | { by: "gpu-second"; price_per_second: number; most_seconds: number };
