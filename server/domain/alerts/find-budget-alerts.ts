import {
  array,
  bool,
  bytea,
  int4,
  int8,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { statement } from "../../db/statement";
import type { BudgetWindow } from "../budgets";
import { windowStartSql } from "../budgets/sql";
import { changeColumns } from "./find-balance-alerts";

/** The shares of a budget, in percent, that raise an alert. */
const THRESHOLDS = [50, 80, 100];

/**
 * Returns the budgets of the accounts `$1` whose threshold at `$3`, by what is spent and held in the current window, is above
 * the one of the window's last alert. A request that was rejected since `$2` counts as 100 %. A budget for each end user counts
 * by who spent most.
 */
export const findBudgetAlerts = statement({
  params: [array(int4), timestamptz, timestamptz],
  row: {
    ...changeColumns,
    is_reached: notNull(bool),
    budget_id: uuid,
    budget_name: text,
    amount: int8,
    window: textOf<BudgetWindow>(),
    spent: notNull(int8),
    end_user_hash: nullable(bytea),
    threshold: notNull(int4),
  },
  isLong: true,
  text: `
    WITH seen AS (
      SELECT b.*, a.email, a.name AS account_name, now.starts_at, coalesce(s.spent, 0) AS spent, s.end_user_hash,
             alert.changed_at AS seen_at,
             CASE WHEN alert.changed_at >= greatest(now.starts_at, b.changed_at) THEN alert.level ELSE 0 END AS alerted
      FROM account a JOIN budget b ON b.account_id = a.id
      CROSS JOIN LATERAL (SELECT ${windowStartSql('b."window"', "$3::timestamptz")} AS starts_at) now
      LEFT JOIN LATERAL (
        SELECT reserved + charged AS spent, nullif(end_user_hash, '') AS end_user_hash FROM budget_spending
        WHERE budget_id = b.id AND revision = b.revision AND starts_at = now.starts_at ORDER BY 1 DESC LIMIT 1
      ) s ON true
      LEFT JOIN alert ON alert.account_id = a.id AND alert.event = 'budget.threshold' AND alert.subject_id = b.id
      WHERE a.id = ANY ($1::integer[]) AND NOT a.suspended
    ),
    judged AS (
      SELECT seen.*, CASE WHEN EXISTS (
          SELECT FROM rejected_request r
          WHERE r.account_id = seen.account_id AND r.code = 'insufficient_credits' AND r.budget_id = seen.id
            AND r.created_at >= greatest($2, starts_at, changed_at)
        ) THEN 100
        ELSE (SELECT coalesce(max(percent), 0) FROM unnest(ARRAY[${THRESHOLDS.join(", ")}]) percent WHERE spent * 100 >= amount * percent)
      END AS threshold
      FROM seen
    )
    SELECT account_id, email, account_name AS name, true AS is_reached, seen_at, id AS budget_id, name AS budget_name, amount,
           "window", spent, end_user_hash, threshold::int
    FROM judged WHERE threshold > alerted ORDER BY account_id, id`,
});
