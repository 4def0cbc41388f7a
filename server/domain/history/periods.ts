const HOUR_MS = 3_600_000;

interface Shape {
  /** The length of the period in hours. */
  hours: number;
  /** How many hours each bar covers. */
  barHours: number;
  /** How many minutes each point of the load covers. */
  pointMinutes: number;
}

const shapes = {
  "24h": { hours: 24, barHours: 1, pointMinutes: 15 },
  "7d": { hours: 7 * 24, barHours: 6, pointMinutes: 120 },
  "30d": { hours: 30 * 24, barHours: 24, pointMinutes: 360 },
} as const satisfies Record<string, Shape>;

export type HistoryPeriod = keyof typeof shapes;
export const historyPeriods = Object.keys(shapes) as [HistoryPeriod, ...HistoryPeriod[]];

/** A period that ends now, divided into equal steps (UTC). */
export interface Steps {
  from: Date;
  until: Date;
  stepMs: number;
  times: Date[];
}

const divide = (now: Date, hours: number, stepMs: number): Steps => {
  const until = Math.floor(now.getTime() / stepMs + 1) * stepMs;
  const from = until - hours * HOUR_MS;
  const count = Math.round((until - from) / stepMs);
  const times = Array.from({ length: count }, (_, n) => new Date(from + n * stepMs));
  return { from: new Date(from), until: new Date(until), stepMs, times };
};

/** Returns the bars of a period. */
export const divideIntoBars = (now: Date, period: HistoryPeriod): Steps =>
  divide(now, shapes[period].hours, shapes[period].barHours * HOUR_MS);

/** Returns the points of a period's load. */
export const divideIntoPoints = (now: Date, period: HistoryPeriod): Steps =>
  divide(now, shapes[period].hours, shapes[period].pointMinutes * 60_000);
