import { mulCeil, NANO_PER_UNIT, parseDecimal, toEuros } from "@/server/lib/money";

/** A VAT rate in percent, as in the settings, such as "19" or "8.1". */
export type VatRate = string;

/** Returns 1 + the rate, in nano; exact, because a rate has at most two decimal places. */
const factorOf = (vat: VatRate): bigint => NANO_PER_UNIT + parseDecimal(vat) / 100n;

/** Returns a price with VAT, rounded up to nine decimal places. Exact below nine million EUR. */
export const addVat = (euros: number, vat: VatRate): number =>
  // Rounded first, because a product of prices may be off by less than a billionth.
  toEuros(mulCeil(BigInt(Math.round(euros * Number(NANO_PER_UNIT))), factorOf(vat)));

/** Returns what a payment of this many cents costs with VAT, in cents; half a cent is rounded up, as on invoices. */
export const addVatToCents = (cents: number, vat: VatRate): number =>
  Number((2n * BigInt(cents) * factorOf(vat) + NANO_PER_UNIT) / (2n * NANO_PER_UNIT));
