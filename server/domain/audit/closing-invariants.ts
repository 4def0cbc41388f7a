import { NO_KEY } from "../ledger";
import { firstIdSql } from "./closings";
import { eurosSql, type Invariant } from "./scope";

/** Invariants between the rows of a closing. */
export const closingInvariants: Invariant[] = [
  {
    name: "a closing has as many entries and generations as its accounts",
    sql: `SELECT 'closing of ' || to_char(c.month, 'YYYY-MM') AS subject,
                 format('%s entries of %s, %s generations of %s', c.entries, a.entries, c.generations, b.generations) AS message
          FROM ledger_closing c
          CROSS JOIN LATERAL (SELECT coalesce(sum(entries), 0) AS entries FROM account_closing WHERE month = c.month) a
          CROSS JOIN LATERAL (SELECT coalesce(sum(generations), 0) AS generations, coalesce(sum(excess), 0) AS excess
                              FROM billing_closing WHERE month = c.month) b
          WHERE c.entries <> a.entries OR c.generations <> b.generations OR c.excess <> b.excess`,
  },
  {
    name: "closings follow each other without a gap, each up to the end of its month",
    sql: `SELECT 'closing of ' || to_char(month, 'YYYY-MM') AS subject,
                 format('closes up to entry %s and generation %s, after %s', last_entry_id, before_id, previous) AS message
          FROM (SELECT *, lag(month) OVER earlier AS previous, lag(last_entry_id) OVER earlier AS previous_entry_id
                FROM ledger_closing WINDOW earlier AS (ORDER BY month)) c
          WHERE previous <> month - interval '1 month' OR last_entry_id < previous_entry_id
             OR before_id <> ${firstIdSql("month + interval '1 month'")}`,
  },
];

const rangesSql = `
  SELECT month, last_entry_id, before_id, lag(last_entry_id, 1, 0::bigint) OVER earlier AS after_entry_id,
         lag(before_id, 1, '${NO_KEY}'::uuid) OVER earlier AS from_id
  FROM ledger_closing WINDOW earlier AS (ORDER BY month)`;

/** Invariants that compare closings with the rows that they close. */
export const closingSumInvariants: Invariant[] = [
  {
    name: "a closing has the sums of the ledger entries that it closes",
    sql: `SELECT format('closing of %s for account %s', to_char(month, 'YYYY-MM'), account_id) AS subject,
                 format('%s entries, %s EUR; the ledger has %s entries, %s EUR', coalesce(c.entries, 0),
                        ${eurosSql("coalesce(c.amount, 0)")}, coalesce(e.entries, 0), ${eurosSql("coalesce(e.amount, 0)")}) AS message
          FROM account_closing c
          FULL JOIN (SELECT r.month, e.account_id, count(*) AS entries, sum(e.amount) AS amount, sum(e.promotional) AS promotional
                     FROM (${rangesSql}) r JOIN public.ledger_entry e ON e.id > r.after_entry_id AND e.id <= r.last_entry_id
                     GROUP BY 1, 2) e USING (month, account_id)
          WHERE c.entries IS DISTINCT FROM e.entries OR c.amount IS DISTINCT FROM e.amount
             OR c.promotional IS DISTINCT FROM e.promotional`,
  },
  {
    name: "a closing has the sums of the generations that it closes",
    sql: `SELECT format('closing of %s for account %s, model %s, %s', to_char(month, 'YYYY-MM'), account_id, model, status) AS subject,
                 format('%s generations, %s EUR; there are %s, %s EUR', coalesce(c.generations, 0),
                        ${eurosSql("coalesce(c.billed, 0)")}, coalesce(g.generations, 0), ${eurosSql("coalesce(g.billed, 0)")}) AS message
          FROM billing_closing c
          FULL JOIN (SELECT r.month, g.account_id, coalesce(g.key_id, '${NO_KEY}') AS key_id, g.model, g.is_llm, g.status,
                            count(*) AS generations, sum(coalesce(g.billed_cost, 0)) AS billed, sum(g.excess_cost) AS excess
                     FROM (${rangesSql}) r JOIN public.generation g ON g.id >= r.from_id AND g.id < r.before_id
                     GROUP BY 1, 2, 3, 4, 5, 6) g USING (month, account_id, key_id, model, is_llm, status)
          WHERE c.generations IS DISTINCT FROM g.generations OR c.billed IS DISTINCT FROM g.billed OR c.excess IS DISTINCT FROM g.excess`,
  },
];
