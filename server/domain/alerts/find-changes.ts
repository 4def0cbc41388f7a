import type { Queryable } from "../../db/client";
import { toEuros } from "../../lib/money";
import { getWindowEnd } from "../budgets";
import { getNextReset } from "../keys";
import type { EndUserHub } from "../labels";
import type { AlertChange } from "./alert-change";
import { findBalanceAlerts } from "./find-balance-alerts";
import { findBudgetAlerts } from "./find-budget-alerts";
import { findEndUser } from "./find-end-user";
import { findKeyAlerts } from "./find-key-alerts";
import { findWebhookAlerts } from "./find-webhook-alerts";

const DAY_MS = 86_400_000;
/** What an account spent in these days counts as low, unless it has set an amount. */
const LOW_DAYS = 3;

/** Returns the changes of alerts about the balances, keys and budgets of accounts, from what happened since `since`. */
export async function findAccountChanges(
  tx: Queryable,
  hub: EndUserHub,
  { ids, since, now }: { ids: number[]; since: Date; now: Date },
): Promise<AlertChange[]> {
  const balances = await findBalanceAlerts(tx, ids, since, new Date(now.getTime() - LOW_DAYS * DAY_MS));
  const keys = await findKeyAlerts(tx, ids, since, now);
  const budgets = await findBudgetAlerts(tx, ids, since, now);
  const named = [];
  for (const row of budgets)
    named.push({ ...row, end_user: await findEndUser(tx, hub, row.account_id, row.end_user_hash) });
  return [
    ...balances.map((row) => toBalanceChange(row, now)),
    ...keys.map((row) => toKeyChange(row, now)),
    ...named.map((row) => toBudgetChange(row, now)),
  ];
}

type RowFrom<S extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<S>>[number];

/** Returns the members that all changes have. */
const commonChange = (row: { account_id: number; is_reached: boolean; seen_at: Date | null }) => ({
  accountId: row.account_id,
  isReached: row.is_reached,
  seenAt: row.seen_at,
});

/** Returns the members that the `data` of all changes has. */
const commonData = ({ email, name }: { email: string; name: string | null }, now: Date) => ({
  account: { email, name },
  at: now.toISOString(),
});

const toBalanceChange = (row: RowFrom<typeof findBalanceAlerts>, now: Date): AlertChange => ({
  ...commonChange(row),
  event: row.event,
  subjectId: null,
  level: row.balance,
  period: null,
  data: {
    ...commonData(row, now),
    balance: toEuros(row.balance),
    available: toEuros(row.available),
    threshold: toEuros(row.threshold),
  },
});

const toKeyChange = (row: RowFrom<typeof findKeyAlerts>, now: Date): AlertChange => ({
  ...commonChange(row),
  event: "key.limit_reached",
  subjectId: row.key_id,
  level: row.spend_limit,
  period: row.period,
  data: {
    ...commonData(row, now),
    key: { id: row.key_id, name: row.key_name },
    spend_limit: toEuros(row.spend_limit),
    spent: toEuros(row.spent),
    resets_at: getNextReset(row.reset, now)?.toISOString() ?? null,
  },
});

const toBudgetChange = (
  row: RowFrom<typeof findBudgetAlerts> & { end_user: string | null },
  now: Date,
): AlertChange => ({
  ...commonChange(row),
  event: "budget.threshold",
  subjectId: row.budget_id,
  level: BigInt(row.threshold),
  period: null,
  data: {
    ...commonData(row, now),
    budget: { id: row.budget_id, name: row.budget_name },
    threshold: row.threshold,
    amount: toEuros(row.amount),
    spent: toEuros(row.spent),
    end_user: row.end_user,
    resets_at: getWindowEnd(row.window, now)?.toISOString() ?? null,
  },
});

/** Returns the changes of alerts about endpoints with attempts since `since`. */
export async function findWebhookChanges(tx: Queryable, since: Date, now: Date): Promise<AlertChange[]> {
  return (await findWebhookAlerts(tx, since)).map((row) => ({
    ...commonChange(row),
    event: "webhook.failing" as const,
    subjectId: row.endpoint_id,
    level: 0n,
    period: null,
    data: {
      ...commonData(row, now),
      webhook: { id: row.endpoint_id, url: row.url },
      status: row.status,
      error: row.error,
    },
  }));
}
