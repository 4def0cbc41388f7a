import type { CronWatch } from "./cron-events";
import { dispatchEvents } from "./dispatch-events";
import { hasRunnableJobs } from "./has-runnable-jobs";
import { RENEW_MS, renewLease } from "./lease";
import type { EngineConnection } from "./engine-connection";
import type { Outcome } from "./outcome";
import type { FunctionConfig } from "./function-config";
import { pullBackTimes } from "./pull-back-times";
import { readDue } from "./read-due";
import { recordOutcomes } from "./record";
import { sendEvents } from "./send";
import { type ClaimedJob, claimJobs } from "./claim-jobs";
import { purgeExpired } from "./purge-expired";

export interface EngineState {
  line: EngineConnection;
  worker: string;
  plans: Map<string, FunctionConfig>;
  crons: CronWatch;
  /** Other engines take from the same lanes. */
  shared: boolean;
  renewedAt: number;
  tidiedAt: number;
}

export interface TickResult {
  jobs: ClaimedJob[];
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
export async function tick(duties: EngineState, now: Date, outcomes: Outcome[], free: number): Promise<TickResult> {
  const { line, worker, crons } = duties;
  if (isOver(duties.tidiedAt, TIDY_MS, now)) await pullBackTimes(line, now);
  if (isOver(duties.renewedAt, RENEW_MS, now)) {
    duties.shared = await renewLease(line, worker, now);
    duties.renewedAt = now.getTime();
  }
  const timers = crons.due(now);
  if (timers.length > 0) {
    await sendEvents(line, now, timers);
    crons.pass(now);
  }
  const { due, more: stillDue, next } = await readDue(line, now);
  const ended = [...outcomes, ...due];
  if (ended.length > 0) await recordOutcomes(line, worker, now, ended);
  const stillSent = await dispatchEvents(line, worker, now, duties.plans);
  const { jobs, more: stillWaiting } = free > 0 ? await claimJobs(line, worker, duties.plans.keys(), free) : nothing;
  const missed = duties.shared && jobs.length < free && (await hasRunnableJobs(line, duties.plans.keys()));
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

async function tidyInTime(duties: EngineState, now: Date): Promise<boolean> {
  if (!isOver(duties.tidiedAt, TIDY_MS, now)) return false;
  const more = await purgeExpired(duties.line, now);
  if (!more) duties.tidiedAt = now.getTime();
  return more;
}

/** Whether so long has passed since, or the clock has gone back by as much. */
const isOver = (since: number, ms: number, now: Date): boolean => Math.abs(now.getTime() - since) >= ms;

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b));
