import type { Queryable } from "../../server/db/client";
import { int8Number, textOf, timestamptz } from "../../server/db/column-types";
import { type RowOf, statement } from "../../server/db/statement";
import { type ClaimedJob, claimJobs, hasRunnableJobs } from "./claim-jobs";
import { commitOutcomes } from "./commit-outcomes";
import type { CronWatch } from "./cron";
import { dispatchEvents } from "./dispatch-events";
import type { EngineConnection } from "./engine-connection";
import type { FunctionConfig } from "./function-config";
import { LEASE_RENEW_MS, renewLease } from "./lease";
import { pullBackTimes, purgeExpired } from "./maintenance";
import { jobColumns, type Outcome } from "./outcome";
import { sendEvents } from "./send-events";

export interface EngineState {
  connection: EngineConnection;
  instanceId: string;
  configs: Map<string, FunctionConfig>;
  /** Returns the jobs that this instance holds, except for those whose outcomes the tick was given. */
  listJobIds: () => string[];
  crons: CronWatch;
  /** Whether other engine instances claim from the same concurrency groups. */
  hasPeers: boolean;
  /** Whether the queue may have events that no tick has read. */
  mayHaveEvents: boolean;
  /** When the next job is due: null when none is, undefined when it must be read. */
  nextDueAt: Date | null | undefined;
  /** When things were last done, in milliseconds of the engine's clock. */
  tickedAt: number;
  renewedAt: number;
  purgedAt: number;
}

interface TickResult {
  jobs: ClaimedJob[];
  /** When the next tick is due without a notification; null when only a notification brings work. */
  nextDueAt: Date | null;
  /** Whether the next tick has work at once. */
  more: boolean;
}

const PURGE_INTERVAL_MS = 60_000;
const RETRY_CLAIM_MS = 20;

/**
 * Does one pass of the engine: commits outcomes, wakes jobs that are due, dispatches events, claims up to `freeSlots`
 * jobs. Throws when the database does; `outcomes` may then be committed or not, and can be passed again.
 */
export async function tick(state: EngineState, now: Date, outcomes: Outcome[], freeSlots: number): Promise<TickResult> {
  const { connection, instanceId, configs, crons } = state;
  const isSetBack = now.getTime() < state.tickedAt;
  if (isSetBack || hasElapsed(state.purgedAt, PURGE_INTERVAL_MS, now)) await pullBackTimes(connection, now, isSetBack);
  state.tickedAt = now.getTime();
  await renewLeaseWhenDue(state, now, outcomes);
  const cronEvents = crons.listDue(now);
  if (cronEvents.length > 0) {
    await sendEvents(connection, now, cronEvents);
    crons.advance(now);
  }
  await commitEnded(state, now, outcomes);
  await dispatchQueued(state, now);
  const { jobs, more: moreJobs } =
    freeSlots > 0 ? await claimJobs(connection, instanceId, configs.keys(), freeSlots) : noJobs;
  const hasSkipped = state.hasPeers && jobs.length < freeSlots && (await hasRunnableJobs(connection, configs.keys()));
  const moreExpired = await purgeWhenDue(state, now);
  return {
    jobs,
    nextDueAt: [
      state.nextDueAt ?? null,
      crons.nextTime(),
      hasSkipped ? new Date(now.getTime() + RETRY_CLAIM_MS) : null,
    ].reduce(earliest),
    more: state.nextDueAt === undefined || state.mayHaveEvents || moreJobs || moreExpired,
  };
}

async function renewLeaseWhenDue(state: EngineState, now: Date, outcomes: Outcome[]): Promise<void> {
  if (!hasElapsed(state.renewedAt, LEASE_RENEW_MS, now)) return;
  const heldJobIds = [...state.listJobIds(), ...outcomes.flatMap(({ jobId }) => jobId ?? [])];
  state.hasPeers = await renewLease(state.connection, state.instanceId, now, heldJobIds);
  state.renewedAt = now.getTime();
  forgetQueue(state);
}

/** Commits the outcomes of jobs that were executed, and of those that are due. */
async function commitEnded(state: EngineState, now: Date, outcomes: Outcome[]): Promise<void> {
  const ended = [...outcomes, ...(await takeDueJobs(state, now))];
  if (ended.length > 0) await commitOutcomes(state.connection, state.instanceId, now, ended);
  // This may have inserted jobs that are due before the time that was read.
  if (state.nextDueAt !== undefined) state.nextDueAt = ended.map(firstDueTime).reduce(earliest, state.nextDueAt);
}

async function dispatchQueued(state: EngineState, now: Date): Promise<void> {
  if (!state.mayHaveEvents) return;
  // A notification that arrives meanwhile may be about events that this query misses.
  state.mayHaveEvents = false;
  const more = await dispatchEvents(state.connection, state.instanceId, now, state.configs);
  if (more) state.mayHaveEvents = true;
}

/** Makes the next tick read the queue again: after an error, and regularly, in case another instance changed it. */
function forgetQueue(state: EngineState): void {
  state.mayHaveEvents = true;
  state.nextDueAt = undefined;
}

/** Makes the next tick free what a failed one may have claimed, and read the queue again. */
export function recoverTick(state: EngineState): void {
  state.renewedAt = -Infinity;
  forgetQueue(state);
}

/** Returns the outcomes of jobs that are due. Reads nothing while it is known that none are due. */
async function takeDueJobs(state: EngineState, now: Date): Promise<Outcome[]> {
  const { nextDueAt } = state;
  if (!state.hasPeers && nextDueAt !== undefined && (nextDueAt === null || nextDueAt > now)) return [];
  const jobs = await readDueJobs(state.connection, now);
  state.nextDueAt = jobs.more ? undefined : jobs.nextDueAt;
  return jobs.due;
}

const noJobs = { jobs: [], more: false };

const firstDueTime = ({ newJobs = [] }: Outcome) => newJobs.map(({ dueAt }) => dueAt).reduce(earliest, null);

async function purgeWhenDue(state: EngineState, now: Date): Promise<boolean> {
  if (!hasElapsed(state.purgedAt, PURGE_INTERVAL_MS, now)) return false;
  const more = await purgeExpired(state.connection, now);
  if (!more) state.purgedAt = now.getTime();
  return more;
}

// A clock that went back counts too, or nothing would be due until it has caught up.
const hasElapsed = (since: number, ms: number, now: Date): boolean =>
  now.getTime() < since || now.getTime() - since >= ms;

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b));

const MAX_JOBS = 500;

const laterColumns = { ...jobColumns, kind: textOf<"call" | "timer">(), due_at: timestamptz };

type LaterJob = RowOf<typeof laterColumns>;

/** Returns the outcomes of jobs that are due, at most 500 of them, and the time at which the next one is. */
async function readDueJobs(
  db: Queryable,
  now: Date,
): Promise<{ due: Outcome[]; more: boolean; nextDueAt: Date | null }> {
  const jobs = await selectDueAndNext(db, now, MAX_JOBS);
  const due = jobs.filter(({ due_at }) => due_at <= now);
  return {
    due: due.map(wakeJob),
    more: due.length === MAX_JOBS,
    nextDueAt: jobs.find(({ due_at }) => due_at > now)?.due_at ?? null,
  };
}

// To the function, a sleep that has ended and a wait that timed out are both null. A retry becomes a job that is ready.
const wakeJob = ({ id, run_id, step, kind, attempt }: LaterJob): Outcome => ({
  runId: run_id,
  jobId: id,
  fromState: "later",
  ...(kind === "timer"
    ? { stepResults: [{ step, value: "null", failed: false }] }
    : { newJobs: [{ step, kind, attempt, dueAt: null }] }),
});

const selectDueAndNext = statement({
  params: [timestamptz, int8Number],
  row: laterColumns,
  text: `
  (SELECT id, run_id, step, kind, attempt, due_at FROM engine.job
   WHERE state = 'later' AND due_at <= $1 ORDER BY due_at LIMIT $2)
  UNION ALL
  (SELECT id, run_id, step, kind, attempt, due_at FROM engine.job
   WHERE state = 'later' AND due_at > $1 ORDER BY due_at LIMIT 1)`,
});
