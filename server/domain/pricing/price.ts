export type TokenPrice = Extract<Price, { by: "token" }>;

/**
 * The price of a generation, stored with it as JSON so that later changes of prices and exchange rates do not affect
 * it.
 */
export type Price =
  /** Cost = USD × rate. */
  | { by: "tier"; match: Record<string, unknown>; price_usd: number; eur_per_usd: number }
  /** EUR per million tokens, and the maximum tokens that the estimate covers. */
  | {
      by: "token";
      input_per_million: number;
      output_per_million: number;
      most_input_tokens: number;
      most_output_tokens: number;
    }
  /** EUR per second, and the maximum seconds that the estimate covers. */
  | { by: "gpu-second"; price_per_second: number; most_seconds: number };
