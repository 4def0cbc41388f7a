import type { UnitPrice } from "../../catalogue/pricing";
import { ceilToNano, divCeil, type Nano, NANO_PER_UNIT as NANO, parseDecimal } from "../../lib/money";
import type { TierPrice } from "./price";
import { isTokenCount, type Usage } from "./usage";

/** One unit: as fine as an amount of nano, and divisible by 60 so that a second is an exact part of a minute. */
const UNIT = 60n * 10n ** 9n;
const SECONDS_PER_MINUTE = 60n;

/** Parts of units, of which `first` cost the price of the first unit and the others that of each further one. */
export interface Units {
  total: bigint;
  first: bigint;
}

/** Returns a number of units, given in nano. The first one, or the part of it that there is, costs the price of the first. */
export const toUnits = (nano: Nano): Units => limitFirst((nano * UNIT) / NANO, UNIT);

/** Returns the megapixels of pictures, the first of each at the price of the first unit. */
export const pictureUnits = (pictures: number, megapixels: number): Units =>
  limitFirst(BigInt(megapixels) * UNIT, BigInt(pictures) * UNIT);

const limitFirst = (total: bigint, first: bigint): Units => ({ total, first: total < first ? total : first });

/** Returns the price of units at an exchange rate, in nano and rounded up once. */
export const priceUnits = (price: UnitPrice, { total, first }: Units, rate: Nano): Nano =>
  divCeil((price.first * first + price.next * (total - first)) * rate, UNIT * NANO);

/** Returns the units that a generation requested; one for a price of a generation. */
export function requestedUnits({ unit, quantity = 1, pictures = 1 }: TierPrice): Units {
  return unit === "megapixel" ? pictureUnits(pictures, quantity) : toUnits(parseDecimal(quantity));
}

/** Returns the units that were delivered, as far as the usage reports them; null if it does not. */
export function deliveredUnits(price: TierPrice, usage: Usage): Units | null {
  const { pictures, seconds, tokens } = usage;
  switch (price.unit) {
    case "image":
      return isCount(pictures) ? toUnits(BigInt(pictures) * NANO) : null;
    case "megapixel":
      return isCount(pictures) ? deliveredMegapixels(price, pictures, usage) : null;
    case "second":
      return secondUnits(seconds, 1n);
    case "minute":
      return secondUnits(seconds, SECONDS_PER_MINUTE);
    case "1k_output_tokens":
      return isTokenCount(tokens?.output) ? toUnits((BigInt(tokens.output) * NANO) / 1000n) : null;
    case "1k_characters":
    case undefined:
      return null;
  }
}

const secondUnits = (seconds: number | undefined, perUnit: bigint): Units | null =>
  isAmount(seconds) ? limitFirst((ceilToNano(seconds) * UNIT) / (NANO * perUnit), UNIT) : null;

/** Without the sizes of the files, every picture counts as large as it was requested. */
function deliveredMegapixels(price: TierPrice, pictures: number, { megapixels }: Usage): Units {
  const { quantity = 1, pictures: requested = 1, input_megapixels: inputs = 0 } = price;
  const total = isCount(megapixels) ? megapixels + inputs * pictures : (quantity / requested) * pictures;
  return pictureUnits(pictures, total);
}

const isAmount = (value: number | undefined): value is number => Number.isFinite(value) && value! >= 0;
const isCount = (value: number | undefined): value is number => Number.isSafeInteger(value) && value! >= 0;
