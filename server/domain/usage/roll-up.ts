import type { Queryable } from "../../db/client";
import { int4, notNull, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { UsageHub } from "./hub";
import { insertMark, lockMark, moveMark } from "./mark";
import { sumSettled } from "./sum-settled";

/** Entries commit later than their timestamps, and clocks differ. Reads find what the search misses. */
const MARGIN_MS = 10 * 60_000;
/** How many ledger entries, and how many other settlements, one transaction sums up. */
const BATCH_SIZE = 5_000;

/**
 * Adds what was settled since the last call to the sums of usage, for up to `budgetMs`, in rounds of one batch for each
 * account. A batch and the account's mark are committed together, so that each settlement is in the sums once. Returns how
 * many settlements it added, of each batch only those of the larger part.
 */
export async function rollUpUsage(hub: UsageHub, budgetMs: number): Promise<number> {
  const now = hub.now();
  const [search] = await selectSearch(hub.db);
  // The clock may have been set back.
  const until = search!.searched_until && Math.min(search!.searched_until.getTime(), now.getTime());
  const accounts = await selectUnsummed(hub.db, until === null ? null : new Date(until - MARGIN_MS));
  const { added, isDone } = await rollUpAccounts(
    hub,
    accounts.map(({ id }) => id),
    budgetMs,
  );
  // Last, so that an interrupted search is repeated.
  if (isDone) await updateSearch(hub.db, now);
  return added;
}

/** Sums up these accounts until there is nothing left or the time is up. */
export async function rollUpAccounts(
  { db }: UsageHub,
  ids: number[],
  budgetMs: number,
): Promise<{ added: number; isDone: boolean }> {
  const deadline = performance.now() + budgetMs;
  let added = 0;
  for (let pending = ids; pending.length > 0;) {
    const unfinished: number[] = [];
    for (const id of pending) {
      if (performance.now() > deadline) return { added, isDone: false };
      const count = await db.transaction((tx) => rollUpBatch(tx, id));
      added += count;
      if (count >= BATCH_SIZE) unfinished.push(id);
    }
    pending = unfinished;
  }
  return { added, isDone: true };
}

/** Sums up one batch of an account, and returns the size of the larger of its two parts. */
async function rollUpBatch(tx: Queryable, accountId: number): Promise<number> {
  await insertMark(tx, accountId);
  // A statement of its own, so that the next one sees what the previous holder of the lock has committed.
  const [mark] = await lockMark(tx, accountId);
  const [batch] = await sumSettled(tx, { account: accountId, after: mark!.entry_id, limit: BATCH_SIZE });
  if (batch!.last_entry_id !== null) await moveMark(tx, accountId, batch!.last_entry_id);
  return Number(batch!.count);
}

const selectSearch = statement({
  params: [],
  row: { searched_until: nullable(timestamptz) },
  text: "SELECT searched_until FROM usage_search",
});

const updateSearch = statement({
  params: [timestamptz],
  row: {},
  text: "UPDATE usage_search SET searched_until = $1",
});

const selectUnsummed = statement({
  params: [nullable(timestamptz)],
  row: { id: notNull(int4) },
  isLong: true,
  text: `
    SELECT account_id AS id FROM ledger_entry WHERE created_at >= coalesce($1::timestamptz, '-infinity') AND kind = 'charge'
    UNION SELECT account_id FROM uncharged_settlement WHERE NOT is_summed
    ORDER BY 1`,
});
