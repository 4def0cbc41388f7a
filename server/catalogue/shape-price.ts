import { z } from "zod";
import { priceUnits } from "./pricing";
import { count, DAY_SECONDS, Match, Price } from "./shape-values";

/** Schema of a price for a generation. */
export const Tier = z.strictObject({ match: Match, price_usd: Price });

/** Schema of a price for a unit, which may be another one for further units. */
export const UnitTier = Tier.extend({ next_price_usd: Price.optional() });

const tiers = z.array(UnitTier).min(1);
const parameter = z.string();
const megapixels = count(1_000);

/** Schema of `pricing`. */
export const UnitPricing = z.discriminatedUnion(
  "per",
  [
    z.strictObject({ per: z.literal("image"), times: parameter.optional(), tiers }),
    z.strictObject({ per: z.literal("second"), times: parameter, tiers }),
    z.strictObject({ per: z.literal("1k_characters"), times: parameter, tiers }),
    z.strictObject({ per: z.literal("minute"), max_minutes: count(DAY_SECONDS / 60), tiers }),
    z.strictObject({ per: z.literal("1k_output_tokens"), max_output_tokens: count(1_000_000), tiers }),
    z.strictObject({
      per: z.literal("megapixel"),
      times: parameter.optional(),
      width: parameter.optional(),
      height: parameter.optional(),
      size: z.record(parameter, z.record(z.string(), megapixels)).optional(),
      inputs: z.record(parameter, megapixels).default({}),
      tiers,
    }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? `must be one of ${priceUnits.join(", ")}` : undefined) },
);

export type TierEntry = z.output<typeof UnitTier>;
export type UnitPricingEntry = z.output<typeof UnitPricing>;
