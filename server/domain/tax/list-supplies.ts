import { int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import type { TaxHub } from "./hub";
import type { Treatment } from "./tax-line";

/** A month in UTC. */
interface Month {
  from: Date;
  until: Date;
}

/** Returns the month that a text such as "2026-11" names. Throws a 400 for any other text. */
export function parseMonth(text: string): Month {
  const [year = 0, month = 0] = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text.split("-").map(Number) : [];
  if (month === 0) throw invalidInput("month", "must be a month such as 2026-11");
  return { from: new Date(Date.UTC(year, month - 1)), until: new Date(Date.UTC(year, month)) };
}

const formatCents = (cents: number): string => (cents / 100).toFixed(2);

// The rate is that of the payment, rounded to half a percent, because its tax was rounded to a cent.
const rateSql = "to_char(round(p.tax * 200.0 / p.amount) / 2, 'FM990.0')";

/**
 * Returns what was supplied in a month, less its corrections, by country, treatment and rate; with reverse charge also by VAT
 * id, as recapitulative statements need it. Amounts are EUR with two decimal places.
 */
export async function listSupplies(hub: TaxHub, { from, until }: Month) {
  const rows = await selectSupplies(hub.db, from, until);
  return rows.map(({ net, tax, ...row }) => ({ ...row, net: formatCents(Number(net)), tax: formatCents(Number(tax)) }));
}

const selectSupplies = statement({
  params: [timestamptz, timestamptz],
  row: {
    country: nullable(text),
    treatment: textOf<Treatment>(),
    rate: notNull(text),
    vat_id: nullable(text),
    supplies: notNull(int4),
    corrections: notNull(int4),
    net: notNull(int8),
    tax: notNull(int8),
  },
  text: `
    SELECT l.country, l.treatment, ${rateSql} AS rate, CASE WHEN l.treatment = 'reverse_charge' THEN l.vat_id END AS vat_id,
           count(*) FILTER (WHERE l.kind = 'supply')::int AS supplies,
           count(*) FILTER (WHERE l.kind <> 'supply')::int AS corrections,
           sum(l.net) AS net, sum(l.tax) AS tax
    FROM tax_line l JOIN payment p ON p.id = l.payment_id
    WHERE l.created_at >= $1 AND l.created_at < $2 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
});

/**
 * Returns the lines of a month for which the operator makes an invoice or a credit note, because no payment provider does,
 * in the order of their numbers.
 */
export async function listInvoiceLines(hub: TaxHub, { from, until }: Month) {
  const rows = await selectLines(hub.db, from, until);
  return rows.map(({ kind, year, number, corrects_year, corrects_number, created_at, net, tax, ...row }) => ({
    number: formatNumber(kind, year, number),
    date: created_at.toISOString().slice(0, 10),
    kind: kind === "supply" ? "invoice" : "credit_note",
    corrects: corrects_number === null ? null : formatNumber("supply", corrects_year!, corrects_number),
    ...row,
    net: formatCents(net),
    tax: formatCents(tax),
    gross: formatCents(net + tax),
  }));
}

/** Returns the number of an invoice, such as 2026-00017, or of a credit note, such as CN2026-00003. */
const formatNumber = (kind: "supply" | "refund", year: number, number: number): string =>
  `${kind === "supply" ? "" : "CN"}${year}-${String(number).padStart(5, "0")}`;

const selectLines = statement({
  params: [timestamptz, timestamptz],
  row: {
    kind: textOf<"supply" | "refund">(),
    year: notNull(int4),
    number: notNull(int4),
    corrects_year: nullable(int4),
    corrects_number: nullable(int4),
    created_at: timestamptz,
    account: int4,
    email: text,
    name: nullable(text),
    country: nullable(text),
    vat_id: nullable(text),
    treatment: textOf<Treatment>(),
    rate: notNull(text),
    net: int4,
    tax: int4,
    payment: uuid,
    reference: nullable(text),
  },
  text: `
    SELECT l.kind, l.year, l.number, supply.year AS corrects_year, supply.number AS corrects_number, l.created_at,
           a.id AS account, a.email, a.name, l.country, l.vat_id, l.treatment, ${rateSql} AS rate, l.net, l.tax,
           p.id AS payment, p.provider_ref AS reference
    FROM tax_line l JOIN payment p ON p.id = l.payment_id JOIN account a ON a.id = p.account_id
    LEFT JOIN tax_line supply ON supply.payment_id = l.payment_id AND supply.kind = 'supply' AND l.kind <> 'supply'
    WHERE l.number IS NOT NULL AND l.created_at >= $1 AND l.created_at < $2 ORDER BY l.kind DESC, l.year, l.number`,
});
