import { periodSql } from "../keys/period";
import { NO_KEY } from "../ledger/settle";
import { eurosSql, type Invariant } from "./invariant";

/** Invariants of balances, holds, slots and charges. */
export const accountInvariants: Invariant[] = [
  {
    name: "the balance equals the sum of the ledger entries",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('balance %s EUR, entries %s EUR', ${eurosSql("a.balance")}, ${eurosSql("coalesce(sum(e.amount), 0)")}) AS message
          FROM account a LEFT JOIN ledger_entry e ON e.account_id = a.id
          GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  },
  {
    name: "balance_after is the running sum of the entries",
    sql: `SELECT 'ledger entry ' || id AS subject, format('balance_after %s EUR, sum %s EUR', ${eurosSql("balance_after")}, ${eurosSql("running")}) AS message
          FROM (SELECT id, balance_after, sum(amount) OVER (PARTITION BY account_id ORDER BY id) AS running FROM ledger_entry) e
          WHERE balance_after <> running`,
  },
  {
    name: "reserved equals the estimates of unsettled generations",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('reserved %s EUR, unsettled estimates %s EUR', ${eurosSql("a.reserved")}, ${eurosSql("coalesce(sum(g.estimated_cost), 0)")}) AS message
          FROM account a LEFT JOIN generation g ON g.account_id = a.id AND g.settled_at IS NULL
          GROUP BY a.id HAVING a.reserved <> coalesce(sum(g.estimated_cost), 0)`,
  },
  {
    name: "the slots in use equal the running generations",
    sql: `SELECT 'account ' || a.id AS subject, format('running %s, counted %s', a.running, count(g.id)) AS message
          FROM account a LEFT JOIN generation g ON g.account_id = a.id AND g.status = 'running' AND NOT g.is_llm
          GROUP BY a.id HAVING a.running <> count(g.id)`,
  },
  {
    name: "holds are not negative and are covered by the balance",
    sql: `SELECT 'account ' || id AS subject, format('balance %s EUR, reserved %s EUR', ${eurosSql("balance")}, ${eurosSql("reserved")}) AS message
          FROM account WHERE reserved < 0 OR balance < reserved`,
  },
  {
    name: "every billed cost is charged once, to the right account",
    sql: `SELECT 'generation ' || coalesce(g.id, e.generation_id) AS subject,
                 format('billed %s EUR, charged %s EUR', ${eurosSql("coalesce(g.billed_cost, 0)")}, ${eurosSql("coalesce(-e.amount, 0)")}) AS message
          FROM (SELECT * FROM generation WHERE billed_cost > 0) g
          FULL JOIN (SELECT * FROM ledger_entry WHERE kind = 'charge') e ON e.generation_id = g.id
          WHERE g.billed_cost IS DISTINCT FROM -e.amount OR g.account_id IS DISTINCT FROM e.account_id`,
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
        FULL JOIN (SELECT account_id, coalesce(key_id, '${NO_KEY}') AS key_id, model, is_llm, status,
                          sum(billed_cost) AS billed FROM generation
                   WHERE billed_cost > 0 GROUP BY 1, 2, 3, 4, 5) g USING (account_id, key_id, model, is_llm, status)
        WHERE coalesce(t.billed, 0) <> coalesce(g.billed, 0)`,
};

// A key whose limit was set or got another reset has no rows for the periods before. What is spent may exceed a limit that
// was lowered.
export const keySpendInvariant: Invariant = {
  name: "a limited key's spend equals its holds and charges",
  sql: `SELECT format('key %s from %s', key_id, period) AS subject,
               format('reserved %s EUR and charged %s EUR of %s EUR; generations hold %s EUR and cost %s EUR',
                      ${eurosSql("s.reserved")}, ${eurosSql("s.charged")}, ${eurosSql("s.spend_limit")},
                      ${eurosSql("coalesce(g.held, 0)")}, ${eurosSql("coalesce(g.charged, 0)")}) AS message
        FROM key_spending s
        FULL JOIN (SELECT k.id AS key_id, ${periodSql("k.spend_limit_reset", "g.created_at")} AS period,
                          sum(CASE WHEN g.settled_at IS NULL THEN g.estimated_cost ELSE 0 END) AS held,
                          sum(coalesce(g.billed_cost, 0)) AS charged
                   FROM generation g JOIN api_key k ON k.id = g.key_id AND k.spend_limit IS NOT NULL GROUP BY 1, 2) g USING (key_id, period)
        LEFT JOIN api_key k ON k.id = key_id
        WHERE (s.key_id IS NOT NULL OR g.held > 0)
          AND (s.reserved IS DISTINCT FROM coalesce(g.held, 0) OR s.charged IS DISTINCT FROM coalesce(g.charged, 0)
               OR s.spend_limit IS DISTINCT FROM k.spend_limit)`,
};

// The limit of an app is never lowered, unlike that of an API key.
export const appSpendInvariant: Invariant = {
  name: "no connected app holds or spends more than its limit",
  sql: `SELECT 'key ' || k.id AS subject,
               format('%s EUR of %s EUR', ${eurosSql("coalesce(sum(coalesce(g.billed_cost, g.estimated_cost)), 0)")}, ${eurosSql("k.spend_limit")}) AS message
        FROM api_key k JOIN generation g ON g.key_id = k.id
        WHERE k.scope = 'mcp' AND (g.settled_at IS NULL OR g.billed_cost > 0)
        GROUP BY k.id HAVING sum(coalesce(g.billed_cost, g.estimated_cost)) > k.spend_limit`,
};

export const providerSpendInvariant: Invariant = {
  name: "the spending of a provider with a spend limit equals what its attempts cost",
  sql: `SELECT format('provider %s on %s', provider, day) AS subject,
               format('spent %s EUR, attempts cost %s EUR', ${eurosSql("coalesce(s.spent, 0)")}, ${eurosSql("coalesce(a.cost, 0)")}) AS message
        FROM provider_spending s
        FULL JOIN (SELECT limited_provider AS provider, budget_day AS day,
                          sum(CASE WHEN outcome IS NULL THEN budget_cost WHEN outcome = 'refused' THEN 0
                                   ELSE coalesce(cost, budget_cost) END) AS cost
                   FROM attempt WHERE budget_cost IS NOT NULL GROUP BY 1, 2) a USING (provider, day)
        WHERE coalesce(s.spent, 0) <> coalesce(a.cost, 0)`,
};
