import { periodSql } from "../keys/sql";
import { eurosSql, type Invariant } from "./scope";

/** Invariants of balances, holds, slots and charges. */
export const accountInvariants: Invariant[] = [
  {
    name: "the balance equals the sum of the ledger entries",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('balance %s EUR, entries %s EUR', ${eurosSql("a.balance")}, ${eurosSql("coalesce(sum(e.amount), 0)")}) AS message
          FROM account a LEFT JOIN ledger_amount e ON e.account_id = a.id
          GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  },
  {
    name: "promotional credit equals the sum of the promotional parts of the entries",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('promotional %s EUR, entries %s EUR', ${eurosSql("a.promotional")}, ${eurosSql("coalesce(sum(e.promotional), 0)")}) AS message
          FROM account a LEFT JOIN ledger_amount e ON e.account_id = a.id
          GROUP BY a.id HAVING a.promotional <> coalesce(sum(e.promotional), 0)`,
  },
  {
    name: "charges spend promotional credit first, and nothing takes more of it than there is",
    sql: `SELECT 'ledger entry ' || id AS subject,
                 format('%s of %s EUR are promotional, %s EUR of it were left after it', ${eurosSql("promotional")}, ${eurosSql("amount")}, ${eurosSql("running")}) AS message
          FROM (SELECT id, kind, e.amount, e.promotional,
                       coalesce(carried.promotional, 0) + sum(e.promotional) OVER (PARTITION BY account_id ORDER BY id) AS running
                FROM ledger_entry e LEFT JOIN carried USING (account_id)) e
          WHERE running < 0 OR kind = 'charge' AND promotional <> amount AND running <> 0`,
  },
  {
    name: "balance_after is the running sum of the entries",
    sql: `SELECT 'ledger entry ' || id AS subject, format('balance_after %s EUR, sum %s EUR', ${eurosSql("balance_after")}, ${eurosSql("running")}) AS message
          FROM (SELECT id, balance_after, coalesce(carried.amount, 0) + sum(e.amount) OVER (PARTITION BY account_id ORDER BY id) AS running
                FROM ledger_entry e LEFT JOIN carried USING (account_id)) e
          WHERE balance_after <> running`,
  },
  {
    name: "reserved equals the estimates of unsettled generations",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('reserved %s EUR, unsettled estimates %s EUR', ${eurosSql("a.reserved")}, ${eurosSql("coalesce(sum(g.estimated_cost), 0)")}) AS message
          FROM account a LEFT JOIN unsettled g ON g.account_id = a.id
          GROUP BY a.id HAVING a.reserved <> coalesce(sum(g.estimated_cost), 0)`,
  },
  {
    name: "the slots in use equal the running generations",
    sql: `SELECT 'account ' || a.id AS subject, format('running %s, counted %s', a.running, count(g.id)) AS message
          FROM account a LEFT JOIN unsettled g ON g.account_id = a.id AND g.status = 'running' AND NOT g.is_llm
          GROUP BY a.id HAVING a.running <> count(g.id)`,
  },
  {
    name: "holds and promotional credit are not negative and are covered by the balance",
    sql: `SELECT 'account ' || id AS subject,
                 format('balance %s EUR, reserved %s EUR, promotional %s EUR', ${eurosSql("balance")}, ${eurosSql("reserved")}, ${eurosSql("promotional")}) AS message
          FROM account WHERE reserved < 0 OR balance < reserved OR promotional < 0 OR balance < promotional`,
  },
  {
    name: "an account owes what was taken back of its payments beyond its available paid credit, less what it repaid",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('owes %s EUR, taken back and not covered %s EUR, repaid %s EUR, paid credit that is not held %s EUR', ${eurosSql("a.owed")},
                        ${eurosSql("coalesce(p.reversed, 0) + coalesce(e.booked, 0)")}, ${eurosSql("-coalesce(e.repaid, 0)")},
                        ${eurosSql("a.balance - a.promotional - a.reserved")}) AS message
          FROM account a
          LEFT JOIN (SELECT account_id, sum(refund_booked + dispute_booked) * 10000000 AS reversed
                     FROM payment GROUP BY account_id) p ON p.account_id = a.id
          LEFT JOIN (SELECT account_id, sum(amount) FILTER (WHERE kind <> 'repayment') AS booked,
                            sum(amount) FILTER (WHERE kind = 'repayment') AS repaid
                     FROM public.ledger_entry WHERE kind IN ('refund', 'dispute', 'repayment') GROUP BY account_id) e ON e.account_id = a.id
          WHERE a.owed <> coalesce(p.reversed, 0) + coalesce(e.booked, 0) + coalesce(e.repaid, 0)
             OR a.owed > 0 AND a.balance - a.promotional > a.reserved`,
  },
  {
    name: "only accounts that are closed gave up credit, and they have no members",
    sql: `SELECT 'account ' || a.id AS subject, format('closed at %s, gave up %s EUR', a.closed_at, ${eurosSql("-coalesce(e.amount, 0)")}) AS message
          FROM account a
          LEFT JOIN (SELECT account_id, sum(amount) AS amount FROM public.ledger_entry WHERE kind = 'given_up' GROUP BY 1) e
            ON e.account_id = a.id
          WHERE a.closed_at IS NULL AND e.amount IS NOT NULL
             OR a.closed_at IS NOT NULL AND EXISTS (SELECT FROM membership m WHERE m.account_id = a.id)`,
  },
  {
    name: "every billed cost is charged once, to the right account",
    // A generation may be created in one month and charged in the next, so a row without its counterpart in the scope looks it
    // up in the whole table. OFFSET 0 keeps the planner from joining the whole table instead.
    sql: `SELECT 'generation ' || coalesce(pair.id, pair.generation_id) AS subject,
                 format('billed %s EUR, charged %s EUR', ${eurosSql("coalesce(pair.billed_cost, other_generation.billed_cost, 0)")},
                        ${eurosSql("coalesce(-pair.amount, -other_entry.amount, 0)")}) AS message
          FROM (SELECT g.id, g.billed_cost, g.account_id AS payer_id, e.generation_id, e.amount, e.account_id
                FROM (SELECT * FROM generation WHERE billed_cost > 0) g
                FULL JOIN (SELECT * FROM ledger_entry WHERE kind = 'charge') e ON e.generation_id = g.id
                WHERE g.billed_cost IS DISTINCT FROM -e.amount OR g.account_id IS DISTINCT FROM e.account_id) pair
          LEFT JOIN LATERAL (SELECT billed_cost, account_id FROM public.generation
                             WHERE pair.id IS NULL AND id = pair.generation_id OFFSET 0) other_generation ON true
          LEFT JOIN LATERAL (SELECT amount, account_id FROM public.ledger_entry
                             WHERE pair.generation_id IS NULL AND generation_id = pair.id AND kind = 'charge' OFFSET 0) other_entry ON true
          WHERE coalesce(pair.billed_cost, other_generation.billed_cost) IS DISTINCT FROM -coalesce(pair.amount, other_entry.amount)
             OR coalesce(pair.payer_id, other_generation.account_id) IS DISTINCT FROM coalesce(pair.account_id, other_entry.account_id)`,
  },
  {
    name: "no cost exceeds its estimate",
    sql: `SELECT 'generation ' || id AS subject, format('billed %s EUR of %s EUR', ${eurosSql("billed_cost")}, ${eurosSql("estimated_cost")}) AS message
          FROM generation WHERE billed_cost < 0 OR billed_cost > estimated_cost`,
  },
];

export const billingTotalInvariant: Invariant = {
  name: "billing totals equal the sums of billed costs",
  sql: `SELECT format('account %s, model %s, %s', account_id, model, status) AS subject,
               format('total %s EUR, billed %s EUR', ${eurosSql("coalesce(t.billed, 0)")}, ${eurosSql("coalesce(g.billed, 0)")}) AS message
        FROM billing_total t
        FULL JOIN (SELECT account_id, key_id, model, is_llm, status, sum(billed) AS billed FROM billed_amount
                   GROUP BY 1, 2, 3, 4, 5) g USING (account_id, key_id, model, is_llm, status)
        WHERE coalesce(t.billed, 0) <> coalesce(g.billed, 0)`,
};

// A key has no rows for the periods before its limit was set or its reset changed. Its spend may exceed a limit that was
// lowered, which is no violation.
export const keySpendInvariant: Invariant = {
  name: "a limited key's spend equals its holds and charges",
  sql: `SELECT format('key %s from %s', key_id, period) AS subject,
               format('reserved %s EUR and charged %s EUR of %s EUR; generations hold %s EUR and cost %s EUR',
                      ${eurosSql("s.reserved")}, ${eurosSql("s.charged")}, ${eurosSql("s.spend_limit")},
                      ${eurosSql("coalesce(g.held, 0)")}, ${eurosSql("coalesce(g.charged, 0)")}) AS message
        FROM key_spending s
        FULL JOIN (SELECT k.id AS key_id, ${periodSql("k.spend_limit_reset", "g.created_at")} AS period,
                          sum(g.held) AS held, sum(g.charged) AS charged
                   FROM key_amount g JOIN api_key k ON k.id = g.key_id AND k.spend_limit IS NOT NULL GROUP BY 1, 2) g USING (key_id, period)
        LEFT JOIN api_key k ON k.id = key_id
        WHERE (s.key_id IS NOT NULL OR g.held > 0) AND (period >= (SELECT since FROM scope) OR period = DATE '1970-01-01')
          AND (s.reserved IS DISTINCT FROM coalesce(g.held, 0) OR s.charged IS DISTINCT FROM coalesce(g.charged, 0)
               OR s.spend_limit IS DISTINCT FROM k.spend_limit)`,
};

// The limit of an app is never lowered, unlike that of an API key.
export const appSpendInvariant: Invariant = {
  name: "no connected app holds or spends more than its limit",
  sql: `SELECT 'key ' || k.id AS subject,
               format('%s EUR of %s EUR', ${eurosSql("sum(g.held + g.charged)")}, ${eurosSql("k.spend_limit")}) AS message
        FROM api_key k JOIN key_amount g ON g.key_id = k.id
        WHERE k.scope = 'mcp'
        GROUP BY k.id HAVING sum(g.held + g.charged) > k.spend_limit`,
};

export const providerSpendInvariant: Invariant = {
  name: "the spending of a provider with a spend limit equals what its attempts cost",
  sql: `SELECT format('provider %s on %s', provider, day) AS subject,
               format('spent %s EUR, attempts cost %s EUR', ${eurosSql("coalesce(s.spent, 0)")}, ${eurosSql("coalesce(a.cost, 0)")}) AS message
        FROM (SELECT * FROM provider_spending WHERE day >= (SELECT since FROM scope)) s
        FULL JOIN (SELECT limited_provider AS provider, budget_day AS day,
                          sum(CASE WHEN outcome IS NULL THEN budget_cost WHEN outcome = 'refused' THEN 0
                                   ELSE coalesce(cost, budget_cost) END) AS cost
                   FROM public.attempt
                   WHERE budget_cost IS NOT NULL AND budget_day >= (SELECT since FROM scope)
                     AND (ended_at IS NULL OR ended_at >= (SELECT since::timestamp AT TIME ZONE 'UTC' FROM scope)) GROUP BY 1, 2) a USING (provider, day)
        WHERE coalesce(s.spent, 0) <> coalesce(a.cost, 0)`,
};

/** Invariants of payments. An amount in cents is ten million nano-euros. */
export const paymentInvariants: Invariant[] = [
  {
    name: "every paid payment is credited once, to the right account, and no other payment",
    sql: `SELECT 'payment ' || coalesce(p.id::text, e.reference) AS subject,
                 format('paid %s EUR, credited %s EUR', ${eurosSql("coalesce(p.amount, 0) * 10000000")}, ${eurosSql("coalesce(e.amount, 0)")}) AS message
          FROM (SELECT * FROM payment WHERE state = 'paid') p
          FULL JOIN (SELECT * FROM public.ledger_entry WHERE kind = 'credit' AND reference LIKE 'payment:%:paid:%') e
            ON e.reference = format('payment:%s:paid:%s', p.id, p.amount)
          WHERE e.amount IS DISTINCT FROM p.amount * 10000000::bigint OR e.account_id IS DISTINCT FROM p.account_id`,
  },
  {
    name: "refunds and disputes take back what their payments say, and never more than was paid",
    sql: `SELECT 'payment ' || p.id AS subject,
                 format('refunded %s of %s cents, disputed %s, taken back without tax %s and %s',
                        p.refunded - p.refund_failed, p.amount + p.tax, p.disputed - p.reinstated, p.refund_booked, p.dispute_booked) AS message
          FROM payment p
          CROSS JOIN LATERAL (SELECT least(p.refunded - p.refund_failed, p.amount + p.tax)::numeric AS refund,
                                     least(p.refunded - p.refund_failed + p.disputed - p.reinstated, p.amount + p.tax)::numeric AS both) taken
          WHERE p.state = 'paid' AND (p.refund_booked <> round(taken.refund * p.amount / (p.amount + p.tax))
                OR p.refund_booked + p.dispute_booked <> round(taken.both * p.amount / (p.amount + p.tax)))
             OR p.refund_booked + p.dispute_booked > p.amount OR p.state <> 'paid' AND p.refund_booked + p.dispute_booked > 0`,
  },
  {
    name: "the entries of an account's refunds and disputes take no more than its payments say",
    sql: `SELECT 'account ' || coalesce(p.account_id, e.account_id) AS subject,
                 format('payments take back %s EUR, entries %s EUR', ${eurosSql("coalesce(p.reversed, 0)")}, ${eurosSql("-coalesce(e.booked, 0)")}) AS message
          FROM (SELECT account_id, sum(refund_booked + dispute_booked) * 10000000 AS reversed FROM payment GROUP BY account_id) p
          FULL JOIN (SELECT account_id, sum(amount) AS booked FROM public.ledger_entry WHERE kind IN ('refund', 'dispute')
                     GROUP BY account_id) e USING (account_id)
          WHERE -coalesce(e.booked, 0) > coalesce(p.reversed, 0)`,
  },
];
