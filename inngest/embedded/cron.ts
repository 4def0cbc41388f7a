import { Cron } from "croner";
import type { SentEvent } from "./send-events";

/** The event that starts a function by its schedule. */
export const CRON_EVENT = "inngest/scheduled.timer";

export interface Schedule {
  /** A cron expression of five fields, in UTC. */
  expression: string;
  /** Returns the first time after the given one. Throws when there is none. */
  nextTime: (after: Date) => Date;
}

/** Parses a cron expression of five fields. Throws on anything else. */
export function parseCron(expression: string): Schedule {
  // As an offset, because a named time zone would load the data of every time zone.
  const cron = new Cron(expression, { mode: "5-part", utcOffset: 0 });
  const nextTime = (after: Date) => {
    const time = cron.nextRun(after);
    if (!time) throw new Error(`\`${expression}\` is never due`);
    return time;
  };
  return { expression, nextTime };
}

export interface CronWatch {
  /** Returns the events that are due. Their ids hold their times, so that several engines start one run. */
  listDue(now: Date): SentEvent[];
  /** Moves the events that were due to their next times after `now`; called once they are sent. */
  advance(now: Date): void;
  nextTime(): Date | null;
}

/** Watches schedules from a time on. Times that pass while no engine watches are skipped. */
export function watchCrons(schedules: Schedule[], from: Date): CronWatch {
  const crons = new Map(
    schedules.map((schedule) => [schedule.expression, { ...schedule, dueAt: schedule.nextTime(from) }]),
  );
  let latest = from;
  const findDue = (now: Date) => [...crons.values()].filter(({ dueAt }) => dueAt <= now);
  return {
    listDue(now) {
      // After the clock went back, the next times would be too far ahead by the same amount.
      if (now < latest) for (const cron of crons.values()) cron.dueAt = cron.nextTime(now);
      latest = now;
      return findDue(now).map(({ expression, dueAt }) => ({
        id: `cron:${expression}:${dueAt.toISOString()}`,
        name: CRON_EVENT,
        data: { cron: expression },
        ts: dueAt.getTime(),
      }));
    },
    advance(now) {
      for (const cron of findDue(now)) cron.dueAt = cron.nextTime(now);
    },
    nextTime: () => [...crons.values()].map(({ dueAt }) => dueAt).sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}
