const UNIT_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const MAX_WAIT_MS = 366 * 86_400_000;

/**
 * Parses the end of a wait as the SDK writes it: a duration from `now` (`2h30m`, empty for none) or a date. Throws on
 * anything else, and on a time more than 366 days ahead.
 */
export function parseDueTime(text: string, now: Date): Date {
  const due = /^(\d+[wdhms])*$/.test(text) ? new Date(now.getTime() + parseDurationMs(text)) : new Date(text);
  if (Number.isNaN(due.getTime())) throw new Error(`\`${text}\` is neither a duration nor a date`);
  if (due.getTime() - now.getTime() > MAX_WAIT_MS) throw new Error(`\`${text}\` is more than 366 days away`);
  return due;
}

const parseDurationMs = (text: string) =>
  [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0);
