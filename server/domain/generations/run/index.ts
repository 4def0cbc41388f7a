/**
 * Runs generations: begins runs, makes attempts at providers, leases jobs to workers, and recovers what lost its process or
 * worker.
 */
export { advanceRun, finishRun, type LastAction, startRun } from "./advance-run";
export { releaseChatPlace, takeChatPlace } from "./chat-place";
export { endOrphanedChats, leaseUntil } from "./chat-lease";
export { endRun, type RunResult } from "./end-run";
export { failTimedOut } from "./fail-timed-out";
export type { RunHub, RunServices } from "./hub";
export { type LeasedJob, leaseNextJob, renewLease } from "./lease";
export type { NextAction } from "./next-action";
export { pullBackTimes } from "./pull-back-times";
export { checkCallbackToken, receiveCallback, repeatReport } from "./receive-callback";
export { MAX_LEASES, requeueExpiredLeases, requeueFailed } from "./requeue";
export { createRunServices } from "./services";
