import type { HubParts } from "../../context";
import { array, int4, int8, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { followChangesSql, followEventsSql, forgetFollowersSql } from "../accounts/sql";
import { eventColumns } from "../envelopes/sql";

/** For how many days after an account's last stream its changes are logged, and for how many they are kept. */
const FOLLOWED_DAYS = 2;
const KEPT_DAYS = 4;
const DAY_MS = 86_400_000;

/** A change of a generation's status. */
export interface LoggedChange {
  n: bigint;
  account_id: number;
  generation_id: string;
  step: number;
}

/** Part of the log: changes by transactions from `from` to below `to`, with numbers above `after`. */
interface LogRange {
  from: bigint;
  /** Null for every transaction before the oldest one that may still commit. */
  to: bigint | null;
  after: bigint;
  accounts: number[];
  limit: number;
}

/**
 * Returns the first changes of a range in the order of their numbers, and the transaction before which the range ended. A
 * row's changes are numbered in their order, and all transactions below that number have ended, so nothing is added to the
 * range later.
 */
export async function readChanges(
  { db }: Pick<HubParts, "db">,
  { from, to, after, accounts, limit }: LogRange,
): Promise<{ bound: bigint; changes: LoggedChange[] }> {
  const rows = await selectChanges(db, { from, to, after, accounts, limit });
  const changes = rows.filter((row): row is LoggedChange & typeof row => row.n !== null);
  return { bound: rows[0]!.bound, changes };
}

const selectChanges = statement({
  params: { from: int8, to: nullable(int8), after: int8, accounts: array(int4), limit: int8Number },
  row: {
    bound: int8,
    n: nullable(int8),
    account_id: nullable(int4),
    generation_id: nullable(uuid),
    step: nullable(int4),
  },
  text: `
    SELECT range.bound, c.n, c.account_id, c.generation_id, c.step
    FROM (SELECT coalesce(:to, pg_snapshot_xmin(pg_current_snapshot())::text::bigint) AS bound) range
    LEFT JOIN LATERAL (
      SELECT * FROM generation_change
      WHERE xid >= :from AND xid < range.bound AND n > :after AND account_id = ANY (:accounts::int[])
      ORDER BY n LIMIT :limit
    ) c ON true
    ORDER BY c.n`,
});

/** Ensures that an account's events are stored from now on. Returns the number of the newest one. */
export async function followEvents({ db }: Pick<HubParts, "db">, accountId: number): Promise<bigint> {
  const [row] = await selectNewest(db, accountId);
  return row!.event;
}

const selectNewest = statement({
  params: [int4],
  row: { event: int8 },
  text: `
    WITH ${followEventsSql("$1")}
    SELECT coalesce((
      SELECT n FROM event WHERE account_id = $1 AND generation_id IS NOT NULL ORDER BY n DESC LIMIT 1), 0) AS event`,
});

const followChanges = statement({
  params: [array(int4), timestamptz],
  row: {},
  text: `WITH ${followChangesSql("$1::int[]", "$2")} SELECT`,
});

/** Ensures that the changes of these accounts are logged from now on. */
export const followLogs = ({ db, now }: Pick<HubParts, "db" | "now">, accounts: number[]): Promise<unknown> =>
  followChanges(db, accounts, now());

/** An event of an account's feed. */
export type FeedEvent = RowOf<typeof feedColumns>;
const feedColumns = { ...eventColumns, id: uuid, account_id: int4, name: text, created_at: timestamptz };

/** Returns the first events of each account after a number, oldest first; at most `limit` of each. */
export const readEvents = (
  { db }: Pick<HubParts, "db">,
  accounts: { id: number; after: bigint }[],
  limit: number,
): Promise<FeedEvent[]> =>
  selectEvents(
    db,
    accounts.map(({ id }) => id),
    accounts.map(({ after }) => after),
    limit,
  );

// LATERAL with LIMIT reads only each account's next events by the index, however many it has (decision 8).
const selectEvents = statement({
  params: [array(int4), array(int8), int8Number],
  row: feedColumns,
  text: `
    SELECT e.n, e.id, e.account_id, e.name, e.created_at, e.snapshot, e.data
    FROM unnest($1::int[], $2::bigint[]) AS wanted (account_id, after)
    CROSS JOIN LATERAL (
      SELECT * FROM event
      WHERE account_id = wanted.account_id AND generation_id IS NOT NULL AND n > wanted.after
      ORDER BY n LIMIT $3
    ) e
    ORDER BY e.n`,
});

/**
 * Stops logging accounts that had no stream for days, and deletes changes that no stream can request any more. Returns how
 * many it deleted.
 */
export async function purgeChanges({ db, now }: Pick<HubParts, "db" | "now">, limit: number): Promise<number> {
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await forgetFollowers(db, daysAgo(FOLLOWED_DAYS), limit);
  return (await deleteChanges(db, daysAgo(KEPT_DAYS), limit)).length;
}

const forgetFollowers = statement({
  params: [timestamptz, int8Number],
  row: {},
  text: forgetFollowersSql("$1", "$2"),
});

const deleteChanges = statement({
  params: [timestamptz, int8Number],
  row: { n: int8 },
  text: `
    DELETE FROM generation_change WHERE n IN (
      SELECT n FROM generation_change WHERE read_at < $1 ORDER BY read_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING n`,
});
