import type { Queryable } from "../../db/client";
import { bool, int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Cents } from "../../payments/provider";
import type { TaxLineHub } from "./hub";
import { selectProfile } from "./tax-profile";
import { isInEu } from "./vat-id";

/** How a supply is taxed. `untaxed` has no tax for another reason, such as a scheme for small enterprises. */
export type Treatment = "taxed" | "reverse_charge" | "outside_eu" | "untaxed";

interface TaxLine {
  paymentId: string;
  accountId: number;
  kind: "supply" | "refund" | "dispute";
  /** Negative for what is taken back. */
  net: Cents;
  tax: Cents;
  /** Whether it needs a number of the hub, because no payment provider makes its invoice. */
  isNumbered: boolean;
}

/**
 * Inserts a supply or its correction in the transaction that books it. A supply gets the account's current tax profile, a
 * correction the one of its supply. The series stays locked until the transaction ends, so that its numbers have no gaps.
 */
export async function insertTaxLine(
  { env, now }: TaxLineHub,
  tx: Queryable,
  { paymentId, accountId, kind, net, tax, isNumbered }: TaxLine,
): Promise<void> {
  const [profile] = await selectProfile(tx, accountId);
  const { country = null, vat_id = null } = profile ?? {};
  const treatment = treatmentOf({ country, vat_id, tax }, env.SELLER_COUNTRY);
  await insertLine(tx, paymentId, kind, net, tax, country, vat_id, treatment, isNumbered, now());
}

/** Returns how a supply with this tax is taxed. */
export function treatmentOf(
  { country, vat_id, tax }: { country: string | null; vat_id: string | null; tax: Cents },
  seller: string | undefined,
): Treatment {
  if (tax !== 0) return "taxed";
  if (!seller || country === null || country === seller) return "untaxed";
  if (!isInEu(country)) return "outside_eu";
  return isInEu(seller) && vat_id !== null ? "reverse_charge" : "untaxed";
}

const insertLine = statement({
  // prettier-ignore
  params: [uuid, textOf<TaxLine["kind"]>(), int4, int4, nullable(text), nullable(text), textOf<Treatment>(), bool, timestamptz],
  row: {},
  text: `
    WITH supply AS (
      SELECT country, vat_id, treatment FROM tax_line WHERE payment_id = $1 AND kind = 'supply' AND $2::text <> 'supply'
      ORDER BY id LIMIT 1
    ),
    numbered AS (
      INSERT INTO tax_series AS s (kind, year, last_number)
      SELECT $2, extract(year FROM $9::timestamptz AT TIME ZONE 'UTC')::int, 1 WHERE $8
      ON CONFLICT (kind, year) DO UPDATE SET last_number = s.last_number + 1
      RETURNING year, last_number
    )
    INSERT INTO tax_line (payment_id, kind, net, tax, country, vat_id, treatment, year, number, created_at)
    SELECT $1, $2, $3, $4, CASE WHEN supply.treatment IS NULL THEN $5 ELSE supply.country END,
           CASE WHEN supply.treatment IS NULL THEN $6 ELSE supply.vat_id END, coalesce(supply.treatment, $7), year,
           last_number, $9
    FROM (SELECT) one LEFT JOIN supply ON true LEFT JOIN numbered ON true`,
});
