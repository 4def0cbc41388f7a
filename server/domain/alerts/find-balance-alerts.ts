import { array, bool, int4, int8, nullable, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { periodSql } from "../keys/sql";

/** Columns of an alert whose state has to change. */
export const changeColumns = {
  account_id: int4,
  email: text,
  name: nullable(text),
  is_reached: bool,
  /** When the alert last changed before the search; null before its first change. */
  seen_at: nullable(timestamptz),
};

/**
 * SQL for the charges of an account since `$3`, from its balances then and now and the entries in between that are not charges.
 */
const spentSql = `(
  SELECT coalesce(anchor.balance_after, 0) - account.balance
         + (SELECT coalesce(sum(e.amount), 0) FROM ledger_entry e
            WHERE e.account_id = account.id AND e.kind = 'credit' AND e.id > coalesce(anchor.id, 0))
         + (SELECT coalesce(sum(e.amount), 0) FROM ledger_entry e
            WHERE e.account_id = account.id AND e.kind IN ('promotional', 'refund', 'dispute', 'repayment') AND e.id > coalesce(anchor.id, 0))
  FROM (SELECT) one LEFT JOIN LATERAL (
    SELECT e.id, e.balance_after FROM ledger_entry e WHERE e.account_id = account.id AND e.created_at < $3
    ORDER BY e.created_at DESC, e.id DESC LIMIT 1
  ) anchor ON true)::bigint`;

/** SQL for whether a request was rejected since `$2` for lack of balance, and not because of its key's limit or a budget. */
const rejectedSql = `EXISTS (
  SELECT FROM rejected_request r JOIN api_key k ON k.id = r.key_id
  LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "r.created_at")}
  WHERE r.account_id = account.id AND r.code = 'insufficient_credits' AND r.budget_id IS NULL AND r.created_at >= $2
    AND r.created_at > coalesce(exhausted.changed_at, '-infinity')
    AND (k.spend_limit IS NULL OR k.spend_limit - coalesce(s.reserved + s.charged, 0) > account.balance - account.reserved))`;

/**
 * Returns the alerts about balances of the accounts `$1` whose state changes: reached, or cleared because the balance was
 * raised. Only a higher balance clears an alert, so amounts that are reserved and released for hours raise a single alert.
 */
export const findBalanceAlerts = statement({
  params: [array(int4), timestamptz, timestamptz],
  row: {
    ...changeColumns,
    event: textOf<"balance.low" | "balance.exhausted">(),
    balance: int8,
    available: int8,
    threshold: int8,
  },
  isLong: true,
  text: `
    WITH seen AS (
      SELECT account.id, account.email, account.name, account.balance, account.balance - account.reserved AS available,
             coalesce(setting.low_amount, ${spentSql}) AS threshold,
             low.is_raised AS low_raised, low.level AS low_level, low.changed_at AS low_at,
             exhausted.is_raised AS exhausted_raised, exhausted.level AS exhausted_level, exhausted.changed_at AS exhausted_at,
             exhausted.is_raised IS NOT TRUE AND ${rejectedSql} AS is_rejected
      FROM account
      LEFT JOIN alert_setting setting ON setting.account_id = account.id
      LEFT JOIN alert low ON low.account_id = account.id AND low.event = 'balance.low'
      LEFT JOIN alert exhausted ON exhausted.account_id = account.id AND exhausted.event = 'balance.exhausted'
      WHERE account.id = ANY ($1::integer[]) AND NOT account.suspended
    ),
    judged AS (
      SELECT seen.*, 'balance.low' AS event, balance < threshold AS is_reached, low_at AS seen_at,
             coalesce(low_raised, false) AND NOT (balance > low_level AND balance >= threshold) AS is_raised
      FROM seen
      UNION ALL
      SELECT seen.*, 'balance.exhausted', available <= 0 OR is_rejected, exhausted_at,
             coalesce(exhausted_raised, false) AND NOT (balance > exhausted_level AND available > 0)
      FROM seen
    )
    SELECT id AS account_id, email, name, event, balance, available, threshold, is_reached, seen_at
    FROM judged
    WHERE is_reached AND NOT is_raised
       OR NOT is_reached AND NOT is_raised
          AND CASE event WHEN 'balance.low' THEN low_raised ELSE exhausted_raised END
    ORDER BY id`,
});
