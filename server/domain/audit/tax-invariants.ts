import type { Invariant } from "./scope";

/** Invariants of tax lines. Payments from before the lines have none. */
export const taxInvariants: Invariant[] = [
  {
    name: "the tax lines of a payment add up to what was paid of it and not taken back",
    sql: `SELECT 'payment ' || p.id AS subject,
                 format('lines %s cents without tax, paid %s, taken back %s', sum(l.net), p.amount, p.refund_booked + p.dispute_booked) AS message
          FROM payment p JOIN tax_line l ON l.payment_id = p.id
          GROUP BY p.id HAVING bool_or(l.kind = 'supply') AND sum(l.net) <> p.amount - p.refund_booked - p.dispute_booked`,
  },
  {
    name: "the numbers of invoices and credit notes have no gaps",
    sql: `SELECT format('%s of %s', coalesce(s.kind, l.kind), coalesce(s.year, l.year)) AS subject,
                 format('last number %s, %s lines up to %s', s.last_number, l.lines, l.last_number) AS message
          FROM tax_series s
          FULL JOIN (SELECT kind, year, count(*) AS lines, max(number) AS last_number FROM tax_line
                     WHERE number IS NOT NULL GROUP BY kind, year) l USING (kind, year)
          WHERE s.last_number IS DISTINCT FROM l.lines OR s.last_number IS DISTINCT FROM l.last_number`,
  },
];
