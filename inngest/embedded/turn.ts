import type { CronWatch } from "./cron-events";
import { deliver } from "./deliver";
import { hasOpenLane } from "./has-open-lane";
import { RENEW_MS, renewLease } from "./lease";
import type { Line } from "./line";
import type { Outcome } from "./outcome";
import type { Plan } from "./plan";
import { pullBackTimes } from "./pull-back-times";
import { readDue } from "./read-due";
import { record } from "./record";
import { send } from "./send";
import { type TakenJob, take } from "./take";
import { tidy } from "./tidy";

export interface Duties {
  line: Line;
  worker: string;
  plans: Map<string, Plan>;
  crons: CronWatch;
  /** Other engines take from the same lanes. */
  shared: boolean;
  renewedAt: number;
  tidiedAt: number;
}

export interface Turn {
  jobs: TakenJob[];
  /** When there will be something to do although nobody says so. */
  next: Date | null;
  /** There is more to do now. */
  more: boolean;
}

const TIDY_MS = 60_000;
const LOOK_AGAIN_MS = 20;

/**
 * One round of the engine: records what ended, wakes what is due, routes what was sent, takes as many jobs as fit.
 * It throws when the database does; the outcomes given are recorded then or not, and may be given again.
 */
export async function turn(duties: Duties, now: Date, outcomes: Outcome[], free: number): Promise<Turn> {
  const { line, worker, crons } = duties;
  if (isOver(duties.tidiedAt, TIDY_MS, now)) await pullBackTimes(line, now);
  if (isOver(duties.renewedAt, RENEW_MS, now)) {
    duties.shared = await renewLease(line, worker, now);
    duties.renewedAt = now.getTime();
  }
  const timers = crons.due(now);
  if (timers.length > 0) {
    await send(line, now, timers);
    crons.pass(now);
  }
  const { due, more: stillDue, next } = await readDue(line, now);
  const ended = [...outcomes, ...due];
  if (ended.length > 0) await record(line, worker, now, ended);
  const stillSent = await deliver(line, worker, now, duties.plans);
  const { jobs, more: stillWaiting } = free > 0 ? await take(line, worker, duties.plans.keys(), free) : nothing;
  const missed = duties.shared && jobs.length < free && (await hasOpenLane(line, duties.plans.keys()));
  const untidy = await tidyInTime(duties, now);
  return {
    jobs,
    next: [next, crons.next(), ...ended.map(nextOf), missed ? new Date(now.getTime() + LOOK_AGAIN_MS) : null].reduce(
      earliest,
    ),
    more: stillDue || stillSent || stillWaiting || untidy,
  };
}

// What has just begun to wait was not yet there when the next due was read.
const nextOf = ({ jobs = [] }: Outcome) => jobs.map(({ due }) => due).reduce(earliest, null);

const nothing = { jobs: [], more: false };

async function tidyInTime(duties: Duties, now: Date): Promise<boolean> {
  if (!isOver(duties.tidiedAt, TIDY_MS, now)) return false;
  const more = await tidy(duties.line, now);
  if (!more) duties.tidiedAt = now.getTime();
  return more;
}

/** Whether so long has passed since, or the clock has gone back by as much. */
const isOver = (since: number, ms: number, now: Date): boolean => Math.abs(now.getTime() - since) >= ms;

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b));
