import type { FunctionConfig } from "./function-config";
import type { SentEvent } from "./send-events";

/** The event that starts a function by its schedule. */
export const CRON_EVENT = "inngest/scheduled.timer";

export interface CronWatch {
  /** Returns the events that are due. Their ids hold their times, so that several engines start one run. */
  listDue(now: Date): SentEvent[];
  /** Sets the events that were due to their next times after `now`, once they are sent. */
  advance(now: Date): void;
  nextTime(): Date | null;
}

/** Watches the schedules of functions from a time on. Times that pass while no engine watches are skipped. */
export function watchCrons(configs: Iterable<FunctionConfig>, from: Date): CronWatch {
  const crons = new Map([...configs].flatMap(({ crons }) => crons.map(({ expression, next }) => [expression, next])));
  const times = new Map([...crons].map(([expression, next]) => [expression, next(from)]));
  let latest = from;
  const findDue = (now: Date) => [...times].filter(([, time]) => time <= now);
  return {
    listDue(now) {
      // After the clock went back, the next times of before would lie too far ahead by as much.
      if (now < latest) for (const [expression, next] of crons) times.set(expression, next(now));
      latest = now;
      return findDue(now).map(([cron, time]) => ({
        id: `cron:${cron}:${time.toISOString()}`,
        name: CRON_EVENT,
        data: { cron },
        ts: time.getTime(),
      }));
    },
    advance(now) {
      for (const [expression] of findDue(now)) times.set(expression, crons.get(expression)!(now));
    },
    nextTime: () => [...times.values()].sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}
