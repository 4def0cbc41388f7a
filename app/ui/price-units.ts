import type { PriceUnit } from "@/server/catalogue/pricing";

/** What follows a price of a unit. */
export const perUnit: Record<PriceUnit, string> = {
  image: "per image",
  second: "per second",
  megapixel: "per megapixel",
  "1k_characters": "per 1,000 characters",
  minute: "per minute",
  "1k_output_tokens": "per 1,000 output tokens",
};
