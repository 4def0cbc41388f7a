import { type Form, payAmountSql, payAmountsSql } from "../accounts/sql";
import { payBudgetsSql } from "../budgets/sql";
import { periodSql } from "../keys/sql";
import { NIL_ID } from "../../lib/id";

/** The key id in `billing_total` for generations that were created without an API key. */
export const NO_KEY = NIL_ID;

/**
 * Returns SQL that releases the holds and charges the costs of the CTE `ended (id, account_id, key_id, model, is_llm, was,
 * status, estimated_cost, charge, created_at)`, whose rows are locked, at the time `:now`. Inserts one ledger entry per charge
 * (unique by generation), which spends promotional credit first, then one per repayment of debt, and updates the totals behind
 * `total_billed`. The short forms need `ended.limits_version`.
 */
export const settleSql = (form: Form): string => `
  -- What each account is charged, and what its holds and slots release.
  sums AS (
    SELECT account_id, sum(estimated_cost)::bigint AS released, sum(charge)::bigint AS charged,
           count(*) FILTER (WHERE was = 'running' AND NOT is_llm)::int AS slots
    FROM ended GROUP BY account_id
  ),
  ${payAmountsSql(form)},
  ${form === "full" ? `${payKeysSql},` : ""}
  ${form === "plain" ? "" : `${payBudgetsSql},`}
  ${entrySql(`
      SELECT account_id, 'charge' AS kind, -charge AS amount,
             -least(charge, greatest(promotional_before - sum(charge) OVER up_to_it + charge, 0)) AS promotional,
             balance_before - sum(charge) OVER up_to_it AS balance_after, id AS generation_id
      FROM ended JOIN paid USING (account_id)
      WHERE charge > 0
      WINDOW up_to_it AS (PARTITION BY account_id ORDER BY id)`)},
  ${totalSql("sum(charge)", "GROUP BY 1, 2, 3, 4, 5")}`;

const entrySql = (chargesSql: string) => `
  -- The ledger entries, in the order of the charges; the repayment is the last.
  entry AS (
    INSERT INTO ledger_entry (account_id, kind, amount, promotional, balance_after, generation_id, created_at)
    SELECT account_id, kind, amount, promotional, balance_after, generation_id, :now FROM (${chargesSql}
      UNION ALL
      SELECT account_id, 'repayment', -repaid, 0, balance, NULL FROM paid WHERE repaid > 0
    ) item
    ORDER BY generation_id NULLS LAST
  )`;

const totalSql = (charged: string, grouping = "") => `
  -- The totals that the list of generations shows.
  total AS (
    INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
    SELECT account_id, coalesce(key_id, '${NO_KEY}'), model, is_llm, status, ${charged} FROM ended JOIN paid USING (account_id)
    WHERE charge > 0 ${grouping}
    ON CONFLICT (account_id, key_id, model, is_llm, status) DO UPDATE SET billed = billing_total.billed + excluded.billed
  )`;

/** Returns the same SQL for one chat, in the plain form: `ended` has at most one row. Needs `:limits_version`. */
export const settleOneSql = (): string => `
  ${payAmountSql},
  ${entrySql(`
      SELECT account_id, 'charge' AS kind, -charge AS amount, -least(charge, promotional_before) AS promotional,
             balance_before - charge AS balance_after, id AS generation_id
      FROM ended JOIN paid USING (account_id) WHERE charge > 0`)},
  ${totalSql("charge")}`;

const payKeysSql = `
  -- The spend limits of the keys, in the period in which the generation was created.
  key_paid AS (
    UPDATE key_spending s SET reserved = s.reserved - sums.released, charged = s.charged + sums.charged
    FROM (
      SELECT k.id AS key_id, ${periodSql("k.spend_limit_reset", "ended.created_at")} AS period,
             sum(estimated_cost)::bigint AS released, sum(charge)::bigint AS charged
      FROM ended JOIN paid USING (account_id) JOIN api_key k ON k.id = ended.key_id AND k.spend_limit IS NOT NULL
      GROUP BY 1, 2
    ) sums
    WHERE s.key_id = sums.key_id AND s.period = sums.period
  )`;
