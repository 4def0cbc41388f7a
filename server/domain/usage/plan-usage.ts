import { invalidInput } from "../../errors";
import { startOfMonth } from "../../lib/start-of-month";
import { END_USERS } from "./label";
import { type Grain, grains, type Group } from "./usage-input";

const DAY_MS = 86_400_000;
/** How many days of a period may be read from the settlements themselves, instead of from sums. */
const MAX_ROW_DAYS = 31;

export interface Range {
  from: Date;
  until: Date;
}

/** Where a period is read: from sums of whole hours, days or months, and from settlements. */
export interface UsagePlan {
  /** The label whose sums are read; null for those by model and key. */
  labelId: number | null;
  sums: (Range & { grain: Grain })[];
  rows: Range[];
}

/** A key of metadata that has sums. */
interface Label {
  id: number;
  name: string;
  since: Date;
}

/**
 * Returns where a period is read for these groups: from the sums of the longest parts that have them, and the rest from
 * settlements. Throws a 400 if the rest is longer than 31 days.
 */
export function planUsage(range: Range, groups: Group[], labels: Label[]): UsagePlan {
  const time = grains.find((grain) => groups.some(({ kind }) => kind === grain)) ?? "month";
  const labelGroups = groups.filter(({ kind }) => kind === "end_user" || kind === "metadata");
  const label = labelGroups.length === 0 ? null : findLabel(groups, labelGroups, labels);
  const available = grains.slice(grains.indexOf(time)).filter((grain) => !label || grain !== "hour");
  const parts = split(range, label === undefined ? [] : available, label?.since.getTime() ?? -Infinity);
  const plan: UsagePlan = {
    labelId: label?.id ?? null,
    sums: parts.flatMap(({ grain, ...part }) => (grain ? [{ ...part, grain }] : [])),
    rows: parts.flatMap(({ grain, ...part }) => (grain ? [] : [part])),
  };
  const rowMs = plan.rows.reduce((sum, { from, until }) => sum + until.getTime() - from.getTime(), 0);
  if (rowMs > MAX_ROW_DAYS * DAY_MS) throw invalidInput("group_by", explain(labelGroups, groups, label));
  return plan;
}

/** Returns the label that has sums of these groups; undefined if none has. */
function findLabel(groups: Group[], [group, second]: Group[], labels: Label[]): Label | undefined {
  if (second || groups.some(({ kind }) => kind === "model" || kind === "key" || kind === "hour")) return undefined;
  if (group!.kind === "end_user") return { id: END_USERS, name: "", since: new Date(-8.64e15) };
  return labels.find(({ name }) => name === group!.key);
}

function explain(labelGroups: Group[], groups: Group[], label: Label | null | undefined): string {
  const limit = `choose at most ${MAX_ROW_DAYS} days`;
  if (label) return `${labelGroups[0]!.name} has sums since ${label.since.toISOString()}: begin there, or ${limit}`;
  const others = groups.map(({ name }) => name).join(" and ");
  if (groups.length === 2 && groups.some(({ kind }) => !["metadata", "day", "month"].includes(kind)))
    return `there are no sums by ${others} together: ${limit}, or only one of them`;
  const missing = labelGroups.map(({ name }) => name).join(" and ");
  return `there are no sums by ${missing}: ${limit}, or name the key in the account's settings`;
}

type Part = Range & { grain: Grain | null };

/** Splits a range into whole months, days and hours that have sums from `since` on, and the remainders at its edges. */
function split({ from, until }: Range, [grain, ...shorter]: Grain[], since: number): Part[] {
  if (from >= until) return [];
  if (grain === undefined) return [{ from, until, grain: null }];
  const start = ceilTo(grain, Math.max(from.getTime(), since));
  const end = floorTo(grain, until.getTime());
  if (start >= end) return split({ from, until }, shorter, since);
  return [
    ...split({ from, until: start }, shorter, since),
    { from: start, until: end, grain },
    ...split({ from: end, until }, shorter, since),
  ];
}

const LENGTH_MS = { hour: 3_600_000, day: DAY_MS };

function floorTo(grain: Grain, ms: number): Date {
  if (grain === "month") return startOfMonth(new Date(ms));
  return new Date(Math.floor(ms / LENGTH_MS[grain]) * LENGTH_MS[grain]);
}

function ceilTo(grain: Grain, ms: number): Date {
  const start = floorTo(grain, ms);
  if (start.getTime() === ms) return start;
  return grain === "month" ? startOfMonth(start, 1) : new Date(start.getTime() + LENGTH_MS[grain]);
}
