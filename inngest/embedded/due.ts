const UNITS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const FARTHEST_MS = 366 * 86_400_000;

/** When a wait ends: a duration as the SDK writes it (`2h30m`, empty for none) counts from `now`, a date is itself. */
export function dueAt(text: string, now: Date): Date {
  const due = /^(\d+[wdhms])*$/.test(text) ? new Date(now.getTime() + milliseconds(text)) : new Date(text);
  if (Number.isNaN(due.getTime())) throw new Error(`\`${text}\` is neither a duration nor a date`);
  if (due.getTime() - now.getTime() > FARTHEST_MS) throw new Error(`\`${text}\` is more than 366 days away`);
  return due;
}

const milliseconds = (text: string) =>
  [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
