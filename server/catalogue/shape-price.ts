import { z } from "zod";
import { type MaxSetting, type PriceUnit, priceUnitNames, priceUnits, type Requested } from "./price-units";
import { count, Match, Price } from "./shape-values";

/** Schema of a price for a generation. */
export const Tier = z.strictObject({ match: Match, price_usd: Price });

/** Schema of a price for a unit, which may be another one for further units. */
export const UnitTier = Tier.extend({ next_price_usd: Price.optional() });

const tiers = z.array(UnitTier).min(1);
const parameter = z.string();
const megapixels = count(1_000);

const pictureSettings = {
  times: parameter.optional(),
  width: parameter.optional(),
  height: parameter.optional(),
  size: z.record(parameter, z.record(z.string(), megapixels)).optional(),
  inputs: z.record(parameter, megapixels).optional(),
};

/** The settings of all units; the schema of each has those by which its units are requested. */
type Settings = typeof pictureSettings & Record<MaxSetting, z.ZodOptional<z.ZodInt>>;

function listSettings(requested: Requested): z.ZodRawShape {
  switch (requested.from) {
    case "number":
      return { times: requested.isOptional ? parameter.optional() : parameter };
    case "characters":
      return { times: parameter };
    case "max":
      return { [requested.setting]: count(requested.limit) };
    case "megapixels":
      return pictureSettings;
  }
}

const toOption = (unit: PriceUnit) =>
  z.strictObject({ per: z.literal(unit), ...(listSettings(priceUnits[unit].requested) as Settings), tiers });

/** Schema of `pricing`. */
export const UnitPricing = z.discriminatedUnion(
  "per",
  priceUnitNames.map(toOption) as [ReturnType<typeof toOption>, ...ReturnType<typeof toOption>[]],
  { error: ({ code }) => (code === "invalid_union" ? `must be one of ${priceUnitNames.join(", ")}` : undefined) },
);

export type TierEntry = z.output<typeof UnitTier>;
export type UnitPricingEntry = z.output<typeof UnitPricing>;
