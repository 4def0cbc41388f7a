/** A row of `priceUnits`. */
export interface UnitOfPrice {
  /** The noun for one and for several, such as "image" and "images". */
  noun: readonly [one: string, many: string];
  /** How many of them make one unit: prices are per 1,000 characters. */
  size: number;
  /** How an input bounds the units of the estimate. */
  requested: Requested;
  /** What the charge counts, and how much of it makes one unit; null charges what was requested. */
  delivered: { measure: Measure; size: number } | null;
  /** For docs/catalogue.md: what a price is multiplied by, what the customer pays for, and the settings in YAML. */
  multipliedBy: string;
  paysFor: string;
  example: string;
}

export type Requested =
  /** The number in the parameter that `times` names. If that is optional, an input without it asks for one. */
  | { from: "number"; isWhole: boolean; isOptional: boolean }
  /** The characters of the parameter that `times` names. */
  | { from: "characters" }
  /** A setting, up to `limit`, because the input does not show it. */
  | { from: "max"; setting: string; limit: number }
  /** The size and the number of the pictures, of which each has a first megapixel. */
  | { from: "megapixels" };

/** What is known of a delivery; server/domain/pricing/cost.ts reads it from the usage. */
export type Measure = "pictures" | "megapixels" | "seconds" | "output_tokens";

/**
 * What a price in USD can be for. The catalogue's format and its checks, estimates, charges, the API description, the
 * clients, the console and docs/catalogue.md are made from this table. The console imports it, so it must not import
 * anything of the server.
 */
export const priceUnits = {
  image: {
    noun: ["image", "images"],
    size: 1,
    requested: { from: "number", isWhole: true, isOptional: true },
    delivered: { measure: "pictures", size: 1 },
    multipliedBy: "the parameter `times`, or 1 without it",
    paysFor: "the images delivered",
    example: "per: image, times: num_images",
  },
  second: {
    noun: ["second", "seconds"],
    size: 1,
    requested: { from: "number", isWhole: false, isOptional: false },
    delivered: { measure: "seconds", size: 1 },
    multipliedBy: "the parameter `times`: seconds of video or audio",
    paysFor: "the seconds that the provider reports, otherwise those asked for",
    example: "per: second, times: duration",
  },
  megapixel: {
    noun: ["megapixel", "megapixels"],
    size: 1,
    requested: { from: "megapixels" },
    delivered: { measure: "megapixels", size: 1 },
    multipliedBy: "the megapixels of an image, times the parameter `times` or 1",
    paysFor: "the megapixels of the images delivered",
    example: "per: megapixel, width: width, height: height",
  },
  "1k_characters": {
    noun: ["character", "characters"],
    size: 1_000,
    requested: { from: "characters" },
    delivered: null,
    multipliedBy: "the characters of the parameter `times`, as a part of a thousand",
    paysFor: "the same",
    example: "per: 1k_characters, times: text",
  },
  minute: {
    noun: ["minute", "minutes"],
    size: 1,
    requested: { from: "max", setting: "max_minutes", limit: 1_440 },
    delivered: { measure: "seconds", size: 60 },
    multipliedBy: "`max_minutes`: the input does not show the length of a recording",
    paysFor: "the seconds that the provider reports, otherwise `max_minutes`",
    example: "per: minute, max_minutes: 60",
  },
  "1k_output_tokens": {
    noun: ["output token", "output tokens"],
    size: 1_000,
    requested: { from: "max", setting: "max_output_tokens", limit: 1_000_000 },
    delivered: { measure: "output_tokens", size: 1_000 },
    multipliedBy: "`max_output_tokens`: the input does not show how many tokens an image takes",
    paysFor: "the output tokens that the provider reports, otherwise `max_output_tokens`",
    example: "per: 1k_output_tokens, max_output_tokens: 7000",
  },
} as const satisfies Record<string, UnitOfPrice>;

type Units = typeof priceUnits;
export type PriceUnit = keyof Units;
/** A setting that bounds the units of a price. */
export type MaxSetting = Extract<Units[PriceUnit]["requested"], { from: "max" }>["setting"];

export const priceUnitNames = Object.keys(priceUnits) as PriceUnit[];

/** Returns the unit of a stored price; undefined for one of a later release, whose hub shares the database. */
export const findPriceUnit = (unit: string): UnitOfPrice | undefined =>
  (priceUnits as Record<string, UnitOfPrice>)[unit];

/** Returns what follows a price of a unit, such as "per 1,000 characters". */
export function describePerUnit(unit: PriceUnit): string {
  const { noun, size } = priceUnits[unit];
  return size === 1 ? `per ${noun[0]}` : `per ${size.toLocaleString("en")} ${noun[1]}`;
}
