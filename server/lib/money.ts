/** Money is an integer of nano-euros (1e-9 EUR), never a float. */
export type Nano = bigint;

const DECIMAL_PLACES = 9;
export const NANO_PER_UNIT = 10n ** BigInt(DECIMAL_PLACES);
export const NANO_PER_CENT = NANO_PER_UNIT / 100n;
const NANO_IN_UNIT = Number(NANO_PER_UNIT);

/** Returns an amount in EUR. Exact below nine million EUR, because the nearest double prints with the same nine places. */
export const toEuros = (nano: Nano): number => Number(nano) / NANO_IN_UNIT;

export const toEurosOrNull = (nano: Nano | null): number | null => (nano === null ? null : toEuros(nano));

/** Returns an amount as a plain decimal ("-0.0092"), exact whatever its size. */
export function formatDecimal(nano: Nano): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(DECIMAL_PLACES + 1, "0");
  const fraction = digits.slice(-DECIMAL_PLACES).replace(/0+$/, "");
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -DECIMAL_PLACES)}${fraction && `.${fraction}`}`;
}

/** Reads a plain decimal ("12.5", 0.003) exactly. Throws RangeError on anything else, or on more than nine places. */
export function parseDecimal(value: string | number): Nano {
  if (typeof value === "number") {
    const nano = Math.round(value * NANO_IN_UNIT);
    // Two decimals of at most fifteen digits are never the same double, so one that divides back is the value itself.
    if (Math.abs(nano) < 1e15 && nano / NANO_IN_UNIT === value) return BigInt(nano);
  }
  const text = typeof value === "number" ? formatNumber(value) : value.trim();
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) throw new RangeError(`"${value}" is not a decimal with at most nine places`);
  const [, sign, whole, fraction = ""] = match;
  const nano = BigInt(whole!) * NANO_PER_UNIT + BigInt(fraction.padEnd(DECIMAL_PLACES, "0"));
  return sign ? -nano : nano;
}

/** Returns a number of zero or more in nano, read from its shortest decimal and rounded up after nine places. */
export function ceilToNano(value: number): Nano {
  const [mantissa, exponent] = value.toExponential().split("e") as [string, string];
  const [whole, fraction = ""] = mantissa.split(".") as [string, string?];
  const digits = BigInt(whole + fraction);
  const power = Number(exponent) - fraction.length + DECIMAL_PLACES;
  return power >= 0 ? digits * 10n ** BigInt(power) : divCeil(digits, 10n ** BigInt(-power));
}

// 1e-7 prints as "1e-7"; toFixed writes it as a plain decimal, whose trailing zeros are dropped.
const formatNumber = (value: number): string =>
  /e/.test(String(value)) ? value.toFixed(DECIMAL_PLACES).replace(/\.?0+$/, "") : String(value);

/** Returns a × b for two nano-scaled decimals, rounded up once, so that no fraction is left unpaid. */
export const mulCeil = (a: Nano, b: Nano): Nano => divCeil(a * b, NANO_PER_UNIT);

/** Returns a ÷ b, rounded up; for amounts of zero or more. */
export const divCeil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
