import { ceilToNano, type Nano, parseDecimal } from "../lib/money";

/** Returns a number from 0, or a text of digits such as "5" or "2.5", in nano and rounded up; null for anything else. */
export function readQuantity(value: unknown): Nano | null {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? ceilToNano(value) : null;
  return typeof value === "string" && /^\d{1,6}(\.\d{1,9})?$/.test(value) ? parseDecimal(value) : null;
}
