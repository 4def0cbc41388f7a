import { frozenFactor } from "../../catalogue/frozen-book";
import { findPriceUnit, type Measure, priceUnits, type UnitOfPrice } from "../../catalogue/price-units";
import type { UnitPrice } from "../../catalogue/pricing";
import { optionalTokenClasses } from "../../catalogue/token-classes";
import { ceilToNano, divCeil, mulCeil, type Nano, NANO_PER_UNIT as NANO, parseDecimal } from "../../lib/money";
import { isTokenCount, tokenCost } from "../tokens";
import type { MediaPrice, Price, TierPrice, Usage } from "./price";

/** How many parts a unit has: a multiple of 1e9 and of every size, so that a second is an exact fraction of a minute. */
const UNIT = Object.values<UnitOfPrice>(priceUnits).reduce(
  (parts, { delivered }) => parts * BigInt(delivered?.size ?? 1),
  NANO,
);

/** Parts of units: `first` of them are charged at the price of the first unit, the others at that of each further unit. */
interface Units {
  total: bigint;
  first: bigint;
}

/**
 * Converts an amount, in nano, to parts of units of `size` each. The first unit, or the first of each picture, is charged at the
 * first price.
 */
function toUnits(amount: Nano, { size = 1, pictures = 1 }: { size?: number; pictures?: number }): Units {
  const total = (amount * UNIT) / (NANO * BigInt(size));
  const first = BigInt(pictures) * UNIT;
  return { total, first: total < first ? total : first };
}

/** Returns the price of units at an exchange rate and times a book's factor, in nano and rounded up once. */
export const multiplyPrice = (price: UnitPrice, { total, first }: Units, rate: Nano, factor = NANO): Nano =>
  divCeil((price.first * first + price.next * (total - first)) * rate * factor, UNIT * NANO * NANO);

/** Returns the units that a generation requested; one if the price is per generation. */
const requestedUnits = ({ quantity = 1, pictures }: TierPrice): Units => toUnits(parseDecimal(quantity), { pictures });

/** Returns the units that were delivered, as far as the usage reports them; null if it does not. */
function deliveredUnits(price: TierPrice, usage: Usage): Units | null {
  const delivered = price.unit && findPriceUnit(price.unit)?.delivered;
  if (!delivered) return null;
  const { measure, size } = delivered;
  const amount = measures[measure](usage, price);
  if (amount === null) return null;
  return toUnits(amount, { size, pictures: measure === "megapixels" ? usage.pictures : 1 });
}

/** How each measure is read from a usage, in nano; null for what is not reported or not plausible. */
const measures: Record<Measure, (usage: Usage, price: TierPrice) => Nano | null> = {
  pictures: ({ pictures }) => (isCount(pictures) ? BigInt(pictures) * NANO : null),
  megapixels: ({ pictures, megapixels }, price) =>
    isCount(pictures) ? countMegapixels(price, pictures, megapixels) * NANO : null,
  seconds: ({ seconds }) => (isAmount(seconds) ? ceilToNano(seconds) : null),
  output_tokens: ({ tokens }) => (isTokenCount(tokens?.output) ? BigInt(tokens.output) * NANO : null),
};

/** Without the sizes of the files, every picture counts as large as it was requested. */
function countMegapixels(price: TierPrice, pictures: number, megapixels: number | undefined): bigint {
  const { quantity = 1, pictures: requested = 1, input_megapixels: inputs = 0 } = price;
  return BigInt(isCount(megapixels) ? megapixels + inputs * pictures : (quantity / requested) * pictures);
}

const isAmount = (value: number | undefined): value is number => Number.isFinite(value) && value! >= 0;
const isCount = (value: number | undefined): value is number => Number.isSafeInteger(value) && value! >= 0;

/**
 * Returns the cost of a success at its frozen price, in nano-euros rounded up once. The cost of tokens may exceed the
 * estimate: settlement caps the charge and records the excess. Missing or implausible usage costs the estimate, because
 * nothing else is known.
 */
export function computeCost(price: Price, estimate: Nano, usage: Usage): Nano {
  if (price.by === "tier") {
    const units = deliveredUnits(price, usage);
    const cost = units && tierCost(price, units);
    return cost !== null && cost < estimate ? cost : estimate;
  }
  const { tokens, serviceTier = null } = usage;
  if (price.by !== "token" || !tokens) return estimate;
  const counts = [tokens.input, tokens.output, ...optionalTokenClasses.map((name) => tokens[name] ?? 0)];
  return counts.every(isTokenCount) ? tokenCost(price, { tokens, serviceTier }) : estimate;
}

/** Returns the maximum cost of a generation at its frozen price, in nano-euros rounded up once: its estimate. */
export const maxCost = (price: MediaPrice): Nano =>
  price.by === "tier"
    ? tierCost(price, requestedUnits(price))
    : mulCeil(parseDecimal(price.price_per_second) * BigInt(price.most_seconds), frozenFactor(price));

/** Returns the cost of units at a frozen price, in nano-euros rounded up once. */
function tierCost(frozen: TierPrice, units: Units): Nano {
  const { price_usd, next_price_usd = price_usd, eur_per_usd } = frozen;
  const price = { first: parseDecimal(price_usd), next: parseDecimal(next_price_usd) };
  return multiplyPrice(price, units, parseDecimal(eur_per_usd), frozenFactor(frozen));
}

/**
 * Returns the units of its price that a generation used, at most those that it requested, which also count while the usage
 * is not known.
 */
export function countUnits(price: TierPrice, usage: Usage = {}): Units {
  const [requested, delivered] = [requestedUnits(price), deliveredUnits(price, usage)];
  return delivered && delivered.total < requested.total ? delivered : requested;
}
