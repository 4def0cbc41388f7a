import { z } from "zod";
import type { Ctx } from "../../context";
import { int4, nullable, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { toEuros } from "../../lib/money";
import { METADATA_KEY } from "../labels";
import { getPace, PACE_DAYS } from "../ledger";
import { startOfMonth } from "../../lib/start-of-month";
import type { UsageHub } from "./hub";
import { selectLabels } from "./label";
import { readUsage, type UsagePage, type UsageQuery } from "./read-usage";
import type { Group } from "./usage-input";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How many parts of a period one chart may have, over all values. */
const MAX_PARTS = 20_000;
/** How many values are shown on their own; the rest is one series. */
const MAX_SERIES = 7;

/** The periods of a chart, with the length and number of their parts; `month` has its days until now. */
const periods = {
  month: { grain: "day", count: null },
  "24h": { grain: "hour", count: 24 },
  "7d": { grain: "day", count: 7 },
  "30d": { grain: "day", count: 30 },
  "90d": { grain: "day", count: 90 },
  "12m": { grain: "month", count: 12 },
} as const;
const chartPeriods = ["24h", "7d", "month", "30d", "90d", "12m"] as const satisfies (keyof typeof periods)[];
type Period = (typeof chartPeriods)[number];

/** What a chart divides usage by: `metadata.KEY` is a key of metadata. */
const ChartGroup = z.union([
  z.enum(["model", "key", "member", "end_user"]),
  z.string().regex(/^metadata\./).refine((name) => METADATA_KEY.test(name.slice("metadata.".length))), // prettier-ignore
]);

/** What to draw. */
export const ChartInput = z.object({ period: z.enum(chartPeriods), by: ChartGroup });
type ChartInput = z.output<typeof ChartInput>;

interface Sums {
  /** EUR */
  billed: number;
  generations: number;
  tokens: number;
}

interface Series {
  /** The value of the group, which filters find: a model, a key's id, an end user; null for work that has none. */
  value: string | null;
  name: string | null;
  total: Sums;
  /** One for each of `times`. */
  parts: Sums[];
}

/**
 * Returns an account's usage as a chart draws it: in equal parts of a period up to now (UTC), by the seven values that cost
 * most, and the others together. Throws what `readUsage` does, and a 400 for more values than a chart can have.
 */
export async function chartUsage(ctx: Ctx<UsageHub>, input: ChartInput) {
  const { hub, account } = ctx;
  const { grain } = periods[input.period];
  const now = hub.now();
  const query = toUsageQuery(ctx, input, now);
  const [page, labels, names] = await Promise.all([
    readUsage(hub, query, { limit: MAX_PARTS }),
    selectLabels(hub.db, account.id),
    input.by === "key" || input.by === "member" ? selectKeyNames(hub.db, account.id) : [],
  ]);
  if (page.next_cursor !== null) throw invalidInput("by", "has too many values for a chart: choose a shorter period");
  const times = listTimes(input.period, now);
  const all = toSeries(input.by, page, times, names);
  const others = all.splice(MAX_SERIES);
  return {
    grain,
    times,
    series: all,
    others: others.length === 0 ? null : { count: others.length, ...mergeSeries(others) },
    total: toSums(page.total),
    /** The keys of metadata by which there are sums. */
    labels: labels.map(({ name }) => name),
  };
}

/** Returns the usage that a chart draws, without what a clock ahead of this one has settled after its last part. */
export function toUsageQuery({ hub, account }: Ctx<UsageHub>, { period, by }: ChartInput, now = hub.now()): UsageQuery {
  const { grain } = periods[period];
  const kind = by === "member" ? "key" : by.startsWith("metadata.") ? "metadata" : (by as Group["kind"]);
  const key = kind === "metadata" ? by.slice("metadata.".length) : null;
  const groups: Group[] = [
    { name: grain, kind: grain, key: null },
    { name: by === "member" ? "key" : by, kind, key },
  ];
  return { accountId: account.id, from: startOf(period, now), to: endOf(period, now), groups };
}

/** Returns what this month will cost at the pace of the last seven days, in EUR; null before two days of work. */
export async function forecastMonth(
  ctx: Ctx<UsageHub>,
): Promise<{ spent: number; until: string; total: number } | null> {
  const now = ctx.hub.now();
  const groups: Group[] = [{ name: "month", kind: "month", key: null }];
  const [{ total }, pace] = await Promise.all([
    readUsage(ctx.hub, { accountId: ctx.account.id, from: startOfMonth(now), groups }, { limit: 1 }),
    getPace(ctx),
  ]);
  if (pace.days < 2) return null;
  const end = startOfMonth(now, 1).getTime();
  const spent = toEuros(total.billed);
  const perDay = toEuros(pace.spent) / PACE_DAYS;
  const until = new Date(end - DAY_MS).toISOString().slice(0, 10);
  return { spent, until, total: spent + (perDay * (end - now.getTime())) / DAY_MS };
}

const countParts = (period: Period, now: Date): number => periods[period].count ?? now.getUTCDate();

function startOf(period: Period, now: Date): Date {
  const { grain } = periods[period];
  const count = countParts(period, now);
  if (grain === "month") return startOfMonth(now, 1 - count);
  const length = lengthOf(period);
  return new Date((Math.floor(now.getTime() / length) - count + 1) * length);
}

/** Returns when the current part ends; of a month, its current day. */
const endOf = (period: Period, now: Date): Date =>
  new Date((Math.floor(now.getTime() / lengthOf(period)) + 1) * lengthOf(period));

const lengthOf = (period: Period): number => (periods[period].grain === "hour" ? HOUR_MS : DAY_MS);

/** Returns the parts of a period as `readUsage` names them. */
function listTimes(period: Period, now: Date): string[] {
  const { grain } = periods[period];
  const start = startOf(period, now);
  return Array.from({ length: countParts(period, now) }, (_, n) => {
    if (grain === "month") return startOfMonth(start, n).toISOString().slice(0, 7);
    if (grain === "day") return new Date(start.getTime() + n * DAY_MS).toISOString().slice(0, 10);
    return new Date(start.getTime() + n * HOUR_MS).toISOString();
  });
}

interface KeyName {
  id: string;
  name: string;
  email: string | null;
}

/** Returns a series for each value of a group, the dearest first. */
function toSeries(by: string, { data }: UsagePage, times: string[], keys: KeyName[]): Series[] {
  const places = new Map(times.map((time, index) => [time, index]));
  const known = new Map(keys.map((key) => [key.id, key]));
  const series = new Map<string | null, Series>();
  for (const { groups, ...sums } of data) {
    const [time, read] = Object.values(groups) as [string, string | null];
    const key = read === null ? undefined : known.get(read);
    const value = by === "member" ? (key?.email ?? null) : read;
    let one = series.get(value);
    if (!one) {
      one = {
        value,
        name: by === "key" ? (key?.name ?? null) : value,
        total: { ...none },
        parts: times.map(() => ({ ...none })),
      };
      series.set(value, one);
    }
    add(one.parts[places.get(time)!]!, toSums(sums));
    add(one.total, toSums(sums));
  }
  return [...series.values()].sort(
    ({ total: one }, { total: other }) => other.billed - one.billed || other.generations - one.generations,
  );
}

const mergeSeries = (all: Series[]) => {
  const merged = { total: { ...none }, parts: all[0]!.parts.map(() => ({ ...none })) };
  for (const { total, parts } of all) {
    add(merged.total, total);
    parts.forEach((part, index) => add(merged.parts[index]!, part));
  }
  return merged;
};

const none: Sums = { billed: 0, generations: 0, tokens: 0 };

const toSums = ({ billed, generations, input_tokens, output_tokens }: UsagePage["total"]): Sums => ({
  billed: toEuros(billed),
  generations: Number(generations),
  tokens: Number(input_tokens + output_tokens),
});

function add(to: Sums, { billed, generations, tokens }: Sums): void {
  to.billed += billed;
  to.generations += generations;
  to.tokens += tokens;
}

/** Returns the keys of the account `$1`, also revoked ones, and whose they are. */
const selectKeyNames = statement({
  params: [int4],
  row: { id: uuid, name: text, email: nullable(text) },
  text: "SELECT k.id, k.name, p.email FROM api_key k LEFT JOIN person p ON p.id = k.person_id WHERE k.account_id = $1",
});
