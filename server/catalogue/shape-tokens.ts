import { z } from "zod";
import { count, Multiplier, Price } from "./shape-values";
import { mapNames, optionalTokenClasses } from "./token-classes";

const TokenPrices = z.strictObject({
  input_cost_per_million: Price,
  output_cost_per_million: Price,
  ...mapNames(optionalTokenClasses, "_cost_per_million", () => Price.optional()),
});

const tierMessage = "must be a word such as flex or priority";
const TierName = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, tierMessage);

/** Schema of what tokens cost in EUR, by class, length of the prompt and tier of service. */
export const TokenPriceList = TokenPrices.extend({
  long_context: z
    .array(TokenPrices.extend({ above: count(1_000_000_000) }))
    .max(8)
    .default([]),
  service_tiers: z
    .record(TierName, Multiplier, { error: ({ code }) => (code === "invalid_key" ? tierMessage : undefined) })
    .default({}),
});

export type TokenPricesEntry = z.output<typeof TokenPrices>;
export type TokenPriceListEntry = z.output<typeof TokenPriceList>;
