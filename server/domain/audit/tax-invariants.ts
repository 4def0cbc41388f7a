import type { Invariant } from "./scope";

/**
 * Invariants of tax lines. Payments from before tax lines existed have none. A payment that expired before it was paid keeps
 * the time at which it expired, so that none seems newer than it is.
 */
export const taxInvariants: Invariant[] = [
  {
    name: "the tax lines of a payment add up to what was paid of it and not taken back",
    sql: `SELECT 'payment ' || p.id AS subject,
                 format('lines %s cents and %s of tax, paid and not taken back %s and %s', l.net, l.tax, left_over.net, left_over.tax) AS message
          FROM payment p
          JOIN (SELECT payment_id, sum(net) AS net, sum(tax) AS tax FROM tax_line
                GROUP BY payment_id HAVING bool_or(kind = 'supply')) l ON l.payment_id = p.id
          CROSS JOIN LATERAL (
            SELECT p.amount - p.refund_booked - p.dispute_booked AS net,
                   p.tax + p.refund_booked + p.dispute_booked
                     - least(p.refunded - p.refund_failed + p.disputed - p.reinstated, p.amount + p.tax) AS tax
          ) left_over
          WHERE l.net <> left_over.net OR l.tax <> left_over.tax`,
  },
  {
    // A day, because processes of the earlier version keep running for a while during an upgrade.
    name: "every payment that was paid since there are tax lines has its supply",
    sql: `SELECT 'payment ' || p.id AS subject, format('no supply of %s cents and %s of tax', p.amount, p.tax) AS message
          FROM payment p
          WHERE p.state = 'paid' AND p.settled_at > (SELECT min(created_at) + interval '1 day' FROM tax_line)
            AND NOT EXISTS (SELECT FROM tax_line l WHERE l.payment_id = p.id AND l.kind = 'supply')`,
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
