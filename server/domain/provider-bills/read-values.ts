import { NANO_PER_UNIT, type Nano, parseDecimal } from "../../lib/money";

const DECIMAL = /^-?\d{1,12}(\.\d{1,60})?(e[+-]?\d{1,2})?$/i;

/**
 * Returns an amount of a bill in billionths: exact with at most nine decimal places, else rounded. Null for an empty text;
 * throws RangeError for anything else.
 */
export function readBillAmount(text: string): Nano | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (!DECIMAL.test(trimmed)) throw new RangeError(`"${trimmed.slice(0, 40)}" is not an amount`);
  try {
    return parseDecimal(trimmed);
  } catch {
    return BigInt(Math.round(Number(trimmed) * Number(NANO_PER_UNIT)));
  }
}

const SECONDS = /^\d{9,11}$/;
const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/;

/**
 * Returns a time of a bill: seconds since 1970 or ISO 8601, which is in UTC without a zone. Null for an empty text; throws
 * RangeError for anything else.
 */
export function readBillTime(text: string): Date | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const local = WITHOUT_ZONE.exec(trimmed);
  const time = SECONDS.test(trimmed)
    ? new Date(Number(trimmed) * 1000)
    : new Date(local ? `${local[1]}T${local[2] ?? "00:00"}Z` : trimmed);
  if (Number.isNaN(time.getTime())) throw new RangeError(`"${trimmed.slice(0, 40)}" is not a time`);
  return time;
}
