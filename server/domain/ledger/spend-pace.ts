import type { Ctx } from "../../context";
import { int4, int8, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Nano } from "../../lib/money";
import type { LedgerHub } from "./hub";

const DAY_MS = 86_400_000;
/** The number of days, including today, over which the pace is measured. */
export const PACE_DAYS = 7;
/** Charges of a single day may be a trial, which predicts nothing. */
const MIN_DAYS_WITH_CHARGES = 2;

/** What an account was charged within the last `PACE_DAYS` days, and on how many UTC days. */
export interface Pace {
  spent: Nano;
  days: number;
}

/** Returns the account's charges of the last `PACE_DAYS` days. */
export async function getPace({ hub, account }: Ctx<LedgerHub>): Promise<Pace> {
  const today = Math.floor(hub.now().getTime() / DAY_MS) * DAY_MS;
  const [pace] = await selectPace(hub.db, account.id, new Date(today - (PACE_DAYS - 1) * DAY_MS));
  return pace!;
}

/** Returns for how many whole days an amount lasts at a pace; null if nothing was spent. */
export const countDaysLeft = (available: Nano, { spent }: Pace): number | null =>
  spent > 0n ? Math.floor((Number(available) * PACE_DAYS) / Number(spent)) : null;

/** Returns for how many days the account's credit lasts; null without credit, and while too little was spent for a forecast. */
export async function forecastCredit(ctx: Ctx<LedgerHub>): Promise<number | null> {
  const available = ctx.account.balance - ctx.account.reserved;
  if (available <= 0n) return null;
  const pace = await getPace(ctx);
  return pace.days < MIN_DAYS_WITH_CHARGES ? null : countDaysLeft(available, pace);
}

const selectPace = statement({
  params: [int4, timestamptz],
  row: { spent: int8, days: int4 },
  text: `
    SELECT coalesce(sum(-amount), 0)::bigint AS spent,
           count(DISTINCT (created_at AT TIME ZONE 'UTC')::date)::int AS days
    FROM ledger_entry WHERE account_id = $1 AND kind = 'charge' AND created_at >= $2`,
});
