const FIELDS = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day", least: 1, most: 31 },
  { name: "month", least: 1, most: 12 },
  { name: "weekday", least: 0, most: 7 },
] as const;

/** Answers the first time after the given one, in UTC, at which it is due. */
export type Cron = (after: Date) => Date;

/** Reads the five fields of cron: numbers, `*`, lists, ranges and steps. Throws on anything else. */
export function parseCron(expression: string): Cron {
  const texts = expression.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) throw new Error(`\`${expression}\` is not a cron expression of five fields`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, index) => parseField(texts[index]!, field));
  if (weekdays!.has(7)) weekdays!.add(0);
  const [anyDay, anyWeekday] = [texts[2]!.startsWith("*"), texts[4]!.startsWith("*")];

  const isDay = (day: Date) => {
    const [date, weekday] = [days!.has(day.getUTCDate()), weekdays!.has(day.getUTCDay())];
    // Of a day and a weekday that are both named, either will do.
    return months!.has(day.getUTCMonth() + 1) && (anyDay || anyWeekday ? date && weekday : date || weekday);
  };
  return (after) => {
    const day = new Date(after);
    day.setUTCHours(0, 0, 0, 0);
    // Eight years hold every combination, the 29th of February over a turn of the century included.
    for (let tries = 0; tries < 366 * 8; tries += 1, day.setUTCDate(day.getUTCDate() + 1)) {
      if (!isDay(day)) continue;
      for (const hour of hours!) {
        for (const minute of minutes!) {
          const at = new Date(day.getTime() + (hour * 60 + minute) * 60_000);
          if (at > after) return at;
        }
      }
    }
    throw new Error(`\`${expression}\` is never due`);
  };
}

function parseField(text: string, { name, least, most }: (typeof FIELDS)[number]): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const found = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    const [from, to, step] = found ? range(found, least, most) : [1, 0, 1];
    if (from > to || from < least || to > most || step < 1) throw new Error(`\`${text}\` is no ${name} of cron`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return new Set([...values].sort((a, b) => a - b));
}

function range([, first, last, every]: RegExpExecArray, least: number, most: number): [number, number, number] {
  const from = first === undefined ? least : Number(first);
  const end = first === undefined || (every && last === undefined) ? most : from;
  return [from, last === undefined ? end : Number(last), Number(every ?? 1)];
}
