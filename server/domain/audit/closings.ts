import { bool, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { selectUnsettledSql } from "../generations/row/sql";
import { NO_KEY } from "../ledger";
import { startOfMonth } from "../../lib/start-of-month";
import type { AuditHub } from "./hub";
import { findClosing } from "./scope";

const DAY_MS = 86_400_000;
/** How long after its end a month is closed, so that a clock that is set back a little adds no row to a closed month. */
const CLOSES_AFTER_MS = 2 * DAY_MS;

/** Returns SQL for the lowest id (UUIDv7) of this time (a `timestamp` in UTC). */
export const firstIdSql = (at: string): string =>
  `(lpad(to_hex((extract(epoch FROM (${at})) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/**
 * Closes every month that ended at least two days ago, up to the first one with an unsettled generation: stores the sums of
 * its ledger entries and of the generations created in it. Returns the closed months, such as "2026-10". Several processes may
 * do this at once. To be called after an audit without violations.
 */
export async function closeMonths(hub: AuditHub): Promise<string[]> {
  const closed: string[] = [];
  for (;;) {
    const month = await findNextMonth(hub);
    const end = month && startOfMonth(month, 1);
    if (!end || hub.now().getTime() < end.getTime() + CLOSES_AFTER_MS) return closed;
    const [waiting] = await selectUnsettled(hub.db, end);
    if (waiting!.exists) return closed;
    const [row] = await insertClosing(hub.db, month, end, hub.now());
    if (row) closed.push(row.month);
  }
}

/** Returns the beginning of the first month that is not closed; null while there are no rows. */
async function findNextMonth({ db }: AuditHub): Promise<Date | null> {
  const closing = await findClosing(db);
  if (closing) return closing.ends_at;
  const at = (await selectFirst(db))[0]?.at;
  return at ? startOfMonth(at) : null;
}

const selectFirst = statement({
  params: [],
  row: { at: nullable(timestamptz) },
  text: `
    SELECT least((SELECT created_at FROM ledger_entry ORDER BY id LIMIT 1),
                 (SELECT created_at FROM generation ORDER BY id LIMIT 1)) AS at`,
});

const endSql = "($1::timestamptz AT TIME ZONE 'UTC')";

const selectUnsettled = statement({
  params: [timestamptz],
  row: { exists: notNull(bool) },
  text: `
    SELECT EXISTS (SELECT FROM (${selectUnsettledSql("id")}) unsettled WHERE id < ${firstIdSql(endSql)}) AS exists`,
});

// One statement, whose snapshot has the whole month: its last transactions committed long ago.
const insertClosing = statement({
  params: [timestamptz, timestamptz, timestamptz],
  row: { month: notNull(text) },
  isLong: true,
  text: `
    WITH previous AS (
      SELECT coalesce(max(last_entry_id), 0) AS entry_id,
             coalesce((SELECT before_id FROM ledger_closing ORDER BY month DESC LIMIT 1), '${NO_KEY}') AS before_id
      FROM ledger_closing
    ),
    bound AS MATERIALIZED (
      SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date AS month, previous.entry_id AS after_entry_id,
             previous.before_id AS from_id,
             greatest(previous.entry_id, (SELECT max(id) FROM ledger_entry WHERE created_at < $2)) AS last_entry_id,
             ${firstIdSql("$2::timestamptz AT TIME ZONE 'UTC'")} AS before_id
      FROM previous
    ),
    entry AS MATERIALIZED (
      SELECT account_id, count(*) AS entries, sum(amount)::bigint AS amount, sum(promotional)::bigint AS promotional
      FROM ledger_entry
      WHERE id > (SELECT after_entry_id FROM bound) AND id <= (SELECT last_entry_id FROM bound)
      GROUP BY account_id
    ),
    billed AS MATERIALIZED (
      SELECT account_id, coalesce(key_id, '${NO_KEY}') AS key_id, model, is_llm, status, count(*) AS generations,
             coalesce(sum(billed_cost), 0)::bigint AS billed, sum(excess_cost)::bigint AS excess
      FROM generation
      WHERE id >= (SELECT from_id FROM bound) AND id < (SELECT before_id FROM bound)
      GROUP BY 1, 2, 3, 4, 5
    ),
    closing AS (
      INSERT INTO ledger_closing (month, closed_at, last_entry_id, before_id, entries, generations, excess)
      SELECT month, $3, last_entry_id, before_id, (SELECT coalesce(sum(entries), 0)::bigint FROM entry),
             (SELECT coalesce(sum(generations), 0)::bigint FROM billed), (SELECT coalesce(sum(excess), 0)::bigint FROM billed)
      FROM bound ON CONFLICT (month) DO NOTHING RETURNING month
    ),
    accounts AS (
      INSERT INTO account_closing (month, account_id, entries, amount, promotional)
      SELECT closing.month, account_id, entries, amount, promotional FROM entry CROSS JOIN closing
    ),
    billings AS (
      INSERT INTO billing_closing (month, account_id, key_id, model, is_llm, status, generations, billed, excess)
      SELECT closing.month, account_id, key_id, model, is_llm, status, generations, billed, excess
      FROM billed CROSS JOIN closing
    )
    SELECT to_char(month, 'YYYY-MM') AS month FROM closing`,
});
