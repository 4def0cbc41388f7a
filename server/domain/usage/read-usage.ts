import { AppError, invalidInput } from "../../errors";
import { type ConcurrencyLimit, createConcurrencyLimit } from "../../lib/concurrency-limit";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { memoizePer } from "../../lib/memoize-per";
import { toEuros } from "../../lib/money";
import { countUnsummed } from "./count-unsummed";
import type { UsageHub } from "./hub";
import { selectLabels } from "./label";
import { planUsage, type UsagePlan } from "./plan-usage";
import { rollUpAccounts, rollUpUsage } from "./roll-up";
import { MAX_ROWS, selectUsage } from "./select-usage";
import type { Group } from "./usage-input";
import { sumColumns } from "./usage-sql";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** How many settlements without a sum a read looks up. If there are more, they are summed up first. */
const MAX_UNSUMMED = 5_000;
const CATCH_UP_MS = 3_000;

/** A query for the usage of an account; of all accounts if `accountId` is null. */
export interface UsageQuery {
  accountId: number | null;
  from?: Date;
  to?: Date;
  groups: Group[];
}

type Sums = Record<(typeof sumColumns)[number], bigint>;

/** What was settled in a period, by its groups. */
export interface UsagePage {
  data: (Sums & { groups: Record<string, string | null> })[];
  total: Sums;
  /** How many rows all pages have. */
  count: number;
  next_cursor: string | null;
}

/**
 * Returns a page of usage: what was settled in a period, by up to two groups and in the order of their values, and the
 * total of all pages. Exact at any time, because it adds what is not in the sums yet. A charge counts at the time of its
 * ledger entry, a generation without one at its settlement. Throws a 400 for an empty period, groups that have no sums for
 * it or too many settlements to read, and a 503 while too much is not summed up yet.
 */
export async function readUsage(
  hub: UsageHub,
  { accountId, groups, ...query }: UsageQuery,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<UsagePage> {
  const range = findRange(hub, query);
  const scope = JSON.stringify(["usage", accountId, groups.map(({ name }) => name), query.from, query.to]);
  const after = cursor === undefined ? null : (JSON.parse(decodeCursor(hub, scope, cursor)) as [string, string]);
  const labels = accountId === null ? [] : await selectLabels(hub.db, accountId);
  const plan = planUsage(range, groups, labels);
  await catchUp(hub, accountId);
  const select = () => selectUsage(hub.db, { accountId, groups, ...range, plan, after, limit: limit + 1 });
  const rows = await (readsMany(plan) ? rowLimit(hub).run(select) : select());
  const total = rows.pop()!;
  if (Number(total.rows) > MAX_ROWS)
    throw invalidInput("from", `more than ${MAX_ROWS} generations have to be read one by one: choose a shorter period`);
  const last = rows.length > limit ? rows[limit - 1]! : null;
  return {
    data: rows.slice(0, limit).map((row) => ({ ...sumsOf(row), groups: describeGroups(groups, row) })),
    total: sumsOf(total),
    count: Number(total.groups),
    next_cursor: last && encodeCursor(hub.secret, scope, JSON.stringify([last.first, last.second])),
  };
}

function findRange(hub: UsageHub, { from, to }: Pick<UsageQuery, "from" | "to">) {
  const tomorrow = (Math.floor(hub.now().getTime() / DAY_MS) + 1) * DAY_MS;
  const until = to ?? new Date(tomorrow);
  const since = from ?? new Date(Math.min(tomorrow, until.getTime()) - DEFAULT_DAYS * DAY_MS);
  if (since >= until) throw invalidInput(to ? "to" : "from", `must be ${to ? "after from" : "in the past"}`);
  return { from: since, until };
}

/**
 * Sums up what was settled since the last sweep if a read would have to look up too much of it. Throws a 503 if too much
 * remains.
 */
async function catchUp(hub: UsageHub, accountId: number | null): Promise<void> {
  if ((await countUnsummed(hub, accountId, MAX_UNSUMMED)) <= MAX_UNSUMMED) return;
  await (accountId === null ? rollUpUsage(hub, CATCH_UP_MS) : rollUpAccounts(hub, [accountId], CATCH_UP_MS));
  if ((await countUnsummed(hub, accountId, MAX_UNSUMMED)) <= MAX_UNSUMMED) return;
  const detail = "Usage is still being summed up, as after an upgrade. Try again in a minute.";
  throw new AppError("service_unavailable", detail, {}, { "Retry-After": "60" });
}

// Reads that look up the settlements of several days run one at a time in a process, so that they leave the database to
// others.
const rowLimit = memoizePer<UsageHub, ConcurrencyLimit>(() => createConcurrencyLimit(1));
const readsMany = ({ rows }: UsagePlan) =>
  rows.some(({ from, until }) => until.getTime() - from.getTime() > 2 * DAY_MS);

const sumsOf = (row: Sums): Sums => Object.fromEntries(sumColumns.map((column) => [column, row[column]])) as Sums;

function describeGroups(groups: Group[], { first, second }: { first: string | null; second: string | null }) {
  return Object.fromEntries(groups.map(({ name }, n) => [name, toValue((n === 0 ? first : second)!)]));
}

/** Returns a group's value from the text that it is sorted by. */
const toValue = (key: string): string | null => (key === "" ? null : key.slice(1));

/** Returns sums for the API. */
const serializeSums = ({ billed, ...counts }: Sums) => ({
  ...(Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as Record<
    Exclude<keyof Sums, "billed">,
    number
  >),
  billed: toEuros(billed),
});

/** Returns a page for the API, in which accounts are numbers. */
export const serializeUsage = ({ data, total, next_cursor }: UsagePage) => ({
  data: data.map(({ groups: { account, ...groups }, ...sums }) => ({
    ...(account && { account: Number(account) }),
    ...groups,
    ...serializeSums(sums),
  })),
  total: serializeSums(total),
  next_cursor,
});
