const FIELDS = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day", min: 1, max: 31 },
  { name: "month", min: 1, max: 12 },
  { name: "weekday", min: 0, max: 7 },
] as const;

/** Returns the first time after the given one, in UTC, that matches the expression. */
export type Cron = (after: Date) => Date;

/** Parses the five fields of cron: numbers, `*`, lists, ranges and steps. Throws on anything else. */
export function parseCron(expression: string): Cron {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) throw new Error(`\`${expression}\` is not a cron expression of five fields`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, index) => parseField(texts[index]!, field));
  if (weekdays!.has(7)) weekdays!.add(0);
  const [isAnyDay, isAnyWeekday] = [texts[2]!.startsWith("*"), texts[4]!.startsWith("*")];

  const matchesDay = (date: Date) => {
    const [isDay, isWeekday] = [days!.has(date.getUTCDate()), weekdays!.has(date.getUTCDay())];
    // Cron joins a day and a weekday by OR when both are restricted.
    return months!.has(date.getUTCMonth() + 1) && (isAnyDay || isAnyWeekday ? isDay && isWeekday : isDay || isWeekday);
  };
  return (after) => {
    const day = new Date(after);
    day.setUTCHours(0, 0, 0, 0);
    // Every combination of fields comes within eight years, the 29th of February across a century included.
    for (let days = 0; days < 366 * 8; days += 1, day.setUTCDate(day.getUTCDate() + 1)) {
      if (!matchesDay(day)) continue;
      for (const hour of hours!) {
        for (const minute of minutes!) {
          const time = new Date(day.getTime() + (hour * 60 + minute) * 60_000);
          if (time > after) return time;
        }
      }
    }
    throw new Error(`\`${expression}\` is never due`);
  };
}

function parseField(text: string, { name, min, max }: (typeof FIELDS)[number]): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    const [from, to, step] = match ? parseRange(match, min, max) : [1, 0, 1];
    if (from > to || from < min || to > max || step < 1) throw new Error(`\`${text}\` is no ${name} of cron`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return new Set([...values].sort((a, b) => a - b));
}

function parseRange([, first, last, step]: RegExpExecArray, min: number, max: number): [number, number, number] {
  const from = first === undefined ? min : Number(first);
  const end = first === undefined || (step && last === undefined) ? max : from;
  return [from, last === undefined ? end : Number(last), Number(step ?? 1)];
}
