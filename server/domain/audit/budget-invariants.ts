import { windowStartSql } from "../budgets/sql";
import { eurosSql, type Invariant } from "./scope";

const sinceSql = "(SELECT since::timestamp AT TIME ZONE 'UTC' FROM scope)";

/** SQL for the generations that each row of `budget_spending` counts. */
const countedSql = `
  SELECT spending.id AS spending_id, g.*
  FROM generation g JOIN generation_budget b ON b.generation_id = g.id CROSS JOIN LATERAL unnest(b.spending_ids) AS spending (id)`;

// A generation counts in the window of its hold, whenever it settles. Rows of windows that ended more than a day ago are
// removed, and a window that never ends counts generations of closed months.
export const budgetInvariants: Invariant[] = [
  {
    name: "a budget's spending equals the holds and charges of the generations that count in it",
    sql: `SELECT format('budget %s from %s, row %s', s.budget_id, s.starts_at, s.id) AS subject,
                 format('reserved %s EUR and charged %s EUR of %s EUR; %s EUR were charged before, generations hold %s EUR and cost %s EUR',
                        ${eurosSql("s.reserved")}, ${eurosSql("s.charged")}, ${eurosSql("s.amount")}, ${eurosSql("s.earlier")},
                        ${eurosSql("coalesce(g.held, 0)")}, ${eurosSql("coalesce(g.cost, 0)")}) AS message
          FROM budget_spending s
          LEFT JOIN (SELECT spending_id, sum(CASE WHEN settled_at IS NULL THEN estimated_cost ELSE 0 END) AS held,
                            sum(coalesce(billed_cost, 0)) AS cost
                     FROM (${countedSql}) counted GROUP BY 1) g ON g.spending_id = s.id
          WHERE s.starts_at >= ${sinceSql}
            AND (s.reserved <> coalesce(g.held, 0) OR s.charged <> s.earlier + coalesce(g.cost, 0))`,
  },
  {
    name: "a generation counts against budgets of its account, in the window in which it was created",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('of account %s, created at %s, counts in budget %s of account %s from %s', g.account_id, g.created_at,
                        b.id, b.account_id, s.starts_at) AS message
          FROM (${countedSql}) g JOIN budget_spending s ON s.id = g.spending_id
          JOIN budget b ON b.id = s.budget_id AND b.revision = s.revision
          WHERE b.account_id <> g.account_id OR s.starts_at <> ${windowStartSql('b."window"', "g.created_at")}
             OR (s.end_user_hash <> '') <> (b.scope ? 'each_end_user')`,
  },
  {
    // End users' hashes cannot be computed here without the hub's key, and erased generations have lost their end users.
    name: "a budget for each end user counts each of them in one row of a window, and nobody else in it",
    sql: `SELECT format('budget %s from %s', budget_id, starts_at) AS subject,
                 format('counts %s end users in rows of several, and %s in several rows',
                        count(*) FILTER (WHERE users > 1), count(*) FILTER (WHERE rows > 1)) AS message
          FROM (SELECT budget_id, starts_at, end_user, count(*) AS rows, max(users) AS users
                FROM (SELECT s.budget_id, s.starts_at, g.end_user, count(*) OVER (PARTITION BY s.id) AS users
                      FROM (SELECT DISTINCT spending_id, end_user FROM (${countedSql}) counted WHERE end_user IS NOT NULL) g
                      JOIN budget_spending s ON s.id = g.spending_id
                      JOIN budget b ON b.id = s.budget_id AND b.revision = s.revision AND b.scope ? 'each_end_user') shared
                GROUP BY 1, 2, 3) named
          WHERE rows > 1 OR users > 1 GROUP BY budget_id, starts_at`,
  },
  {
    name: "an account that has budgets says so",
    sql: `SELECT 'account ' || a.id AS subject, format('has budgets: %s', a.has_budgets) AS message
          FROM account a WHERE a.has_budgets <> EXISTS (SELECT FROM budget WHERE account_id = a.id)`,
  },
];
