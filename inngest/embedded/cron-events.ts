import type { FunctionConfig } from "./function-config";
import type { SentEvent } from "./send";

/** The event of a function that runs by the clock. */
export const CRON_EVENT = "inngest/scheduled.timer";

export interface CronWatch {
  /** The events whose time has come. Their ids are their times, so that of several engines one counts. */
  due(now: Date): SentEvent[];
  /** They are sent; what follows is due after `now`. */
  pass(now: Date): void;
  next(): Date | null;
}

/** Watches the schedules of functions. A time that passed while nobody watched is not made up for. */
export function watchCrons(plans: Iterable<FunctionConfig>, from: Date): CronWatch {
  const crons = new Map([...plans].flatMap(({ crons }) => crons.map(({ expression, next }) => [expression, next])));
  const times = new Map([...crons].map(([expression, next]) => [expression, next(from)]));
  let latest = from;
  const due = (now: Date) => [...times].filter(([, time]) => time <= now);
  return {
    due(now) {
      // After the clock went back, what is next by the clock of before would wait for as long as it went.
      if (now < latest) for (const [expression, next] of crons) times.set(expression, next(now));
      latest = now;
      return due(now).map(([cron, time]) => ({
        id: `cron:${cron}:${time.toISOString()}`,
        name: CRON_EVENT,
        data: { cron },
        ts: time.getTime(),
      }));
    },
    pass(now) {
      for (const [expression] of due(now)) times.set(expression, crons.get(expression)!(now));
    },
    next: () => [...times.values()].sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}
