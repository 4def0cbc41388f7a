import { expect, test } from "vitest";
import type { Price } from "./price";
import { showPrice } from "./show-price";

const book = { id: "partners", revision: 3, multiplier: 1.333333, discount: 0.1 };

test.each<[Price, object]>([
  [
    {
      by: "tier",
      match: {},
      price_usd: 0.05,
      next_price_usd: 0.01,
      eur_per_usd: 0.92,
      unit: "image",
      quantity: 2,
      book,
    },
    {
      by: "tier",
      match: {},
      price_usd: 0.059999985,
      next_price_usd: 0.011999997,
      eur_per_usd: 0.92,
      unit: "image",
      quantity: 2,
    },
  ],
  [
    { by: "gpu-second", price_per_second: 1, most_seconds: 10, book },
    { by: "gpu-second", price_per_second: 1.1999997, most_seconds: 10 },
  ],
  [
    {
      by: "token",
      input_per_million: 1,
      cached_input_per_million: 0.1,
      output_per_million: 2,
      long_context: [{ above: 100, input_per_million: 2, output_per_million: 4 }],
      service_tiers: { flex: 0.5 },
      most_input_tokens: 10,
      most_output_tokens: 20,
      book,
    },
    {
      by: "token",
      input_per_million: 1.1999997,
      cached_input_per_million: 0.11999997,
      output_per_million: 2.3999994,
      long_context: [{ above: 100, input_per_million: 2.3999994, output_per_million: 4.7999988 }],
      service_tiers: { flex: 0.5 },
      most_input_tokens: 10,
      most_output_tokens: 20,
    },
  ],
])("a customer sees what the book makes of %j, and not the book", (price, shown) => {
  expect(showPrice(price)).toEqual(shown);
});

test("without a book a price is shown as it is", () => {
  const price: Price = { by: "gpu-second", price_per_second: 0.5, most_seconds: 10 };
  expect(showPrice(price)).toBe(price);
});
