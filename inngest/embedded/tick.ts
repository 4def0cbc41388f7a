import { type ClaimedJob, claimJobs, hasRunnableJobs } from "./claim-jobs";
import { commitOutcomes } from "./commit-outcomes";
import type { CronWatch } from "./cron";
import { dispatchEvents } from "./dispatch-events";
import type { EngineConnection } from "./engine-connection";
import type { FunctionConfig } from "./function-config";
import { LEASE_RENEW_MS, renewLease } from "./lease";
import { pullBackTimes, purgeExpired } from "./maintenance";
import type { Outcome } from "./outcome";
import { readDueJobs } from "./read-due-jobs";
import { sendEvents } from "./send-events";

export interface EngineState {
  connection: EngineConnection;
  instanceId: string;
  configs: Map<string, FunctionConfig>;
  crons: CronWatch;
  /** Whether other engine instances claim from the same concurrency groups. */
  hasPeers: boolean;
  /** Milliseconds of the engine's clock, as is `purgedAt`. */
  renewedAt: number;
  purgedAt: number;
}

export interface TickResult {
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
  if (hasElapsed(state.purgedAt, PURGE_INTERVAL_MS, now)) await pullBackTimes(connection, now);
  if (hasElapsed(state.renewedAt, LEASE_RENEW_MS, now)) {
    state.hasPeers = await renewLease(connection, instanceId, now);
    state.renewedAt = now.getTime();
  }
  const cronEvents = crons.listDue(now);
  if (cronEvents.length > 0) {
    await sendEvents(connection, now, cronEvents);
    crons.advance(now);
  }
  const { due, more: moreDue, nextDueAt } = await readDueJobs(connection, now);
  const committed = [...outcomes, ...due];
  if (committed.length > 0) await commitOutcomes(connection, instanceId, now, committed);
  const moreEvents = await dispatchEvents(connection, instanceId, now, configs);
  const { jobs, more: moreJobs } =
    freeSlots > 0 ? await claimJobs(connection, instanceId, configs.keys(), freeSlots) : noJobs;
  const hasSkipped = state.hasPeers && jobs.length < freeSlots && (await hasRunnableJobs(connection, configs.keys()));
  const moreExpired = await purgeWhenDue(state, now);
  return {
    jobs,
    nextDueAt: [
      nextDueAt,
      crons.nextTime(),
      ...committed.map(firstDueTime),
      hasSkipped ? new Date(now.getTime() + RETRY_CLAIM_MS) : null,
    ].reduce(earliest),
    more: moreDue || moreEvents || moreJobs || moreExpired,
  };
}

const noJobs = { jobs: [], more: false };

// Jobs that were inserted in this tick were not there yet when the next due time was read.
const firstDueTime = ({ newJobs = [] }: Outcome) => newJobs.map(({ dueAt }) => dueAt).reduce(earliest, null);

async function purgeWhenDue(state: EngineState, now: Date): Promise<boolean> {
  if (!hasElapsed(state.purgedAt, PURGE_INTERVAL_MS, now)) return false;
  const more = await purgeExpired(state.connection, now);
  if (!more) state.purgedAt = now.getTime();
  return more;
}

// A clock that went back by as much counts too, or nothing would be due until it has caught up.
const hasElapsed = (since: number, ms: number, now: Date): boolean => Math.abs(now.getTime() - since) >= ms;

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b));
