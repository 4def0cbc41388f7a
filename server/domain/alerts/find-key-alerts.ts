import { array, int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { SpendReset } from "../keys";
import { periodSql } from "../keys/sql";
import { changeColumns } from "./find-balance-alerts";

/**
 * Returns the alerts about spend limits of the accounts' keys whose state changes at `$3`: reached, or cleared because another
 * period began or the limit was changed. The accounts are `$1`; rejections count since `$2`.
 */
export const findKeyAlerts = statement({
  params: [array(int4), timestamptz, timestamptz],
  row: {
    ...changeColumns,
    key_id: uuid,
    key_name: text,
    spend_limit: notNull(int8),
    reset: nullable(textOf<NonNullable<SpendReset>>()),
    period: notNull(text),
    spent: notNull(int8),
  },
  isLong: true,
  text: `
    WITH seen AS (
      SELECT k.account_id, a.email, a.name, k.id AS key_id, k.name AS key_name, k.spend_limit, k.spend_limit_reset AS reset,
             now.period, coalesce(s.reserved + s.charged, 0)::bigint AS spent, alert.changed_at AS seen_at,
             alert.is_raised IS TRUE AS was_raised,
             alert.is_raised IS TRUE AND alert.level = k.spend_limit AND alert.period = now.period AS is_raised,
             alert.is_raised IS NOT TRUE AND EXISTS (
               SELECT FROM rejected_request r
               WHERE r.account_id = k.account_id AND r.key_id = k.id AND r.code = 'insufficient_credits' AND r.budget_id IS NULL
                 AND r.created_at >= greatest($2, alert.changed_at) AND r.created_at >= now.period::timestamp AT TIME ZONE 'UTC'
                 AND k.spend_limit - coalesce(s.reserved + s.charged, 0) <= a.balance - a.reserved) AS is_rejected
      FROM account a JOIN api_key k ON k.account_id = a.id
      CROSS JOIN LATERAL (SELECT ${periodSql("k.spend_limit_reset", "$3::timestamptz")} AS period) now
      LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = now.period
      LEFT JOIN alert ON alert.account_id = a.id AND alert.event = 'key.limit_reached' AND alert.subject_id = k.id
      WHERE a.id = ANY ($1::integer[]) AND NOT a.suspended AND k.spend_limit IS NOT NULL AND k.revoked_at IS NULL
    ),
    judged AS (SELECT *, spent >= spend_limit OR is_rejected AS is_reached FROM seen)
    SELECT account_id, email, name, is_reached, seen_at, key_id, key_name, spend_limit, reset, period::text, spent
    FROM judged WHERE NOT is_raised AND (is_reached OR was_raised) ORDER BY account_id, key_id`,
});
