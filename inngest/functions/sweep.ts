import type { Inngest } from "inngest";
import { adoptDueBooks } from "../../server/domain/books";
import { purgeBudgetWindows } from "../../server/domain/budgets";
import { advanceClosures, erasePending } from "../../server/domain/closures";
import { purgeUnusedCodes } from "../../server/domain/connections";
import { pullBackDeliveries, purgeEvents, redispatchDeliveries } from "../../server/domain/deliveries";
import { purgeExports } from "../../server/domain/exports";
import { mergeErasedUsage } from "../../server/domain/erasure";
import { expireFiles } from "../../server/domain/files";
import { failSupplyTimedOut, failWaitingTooLong, purgeReplies } from "../../server/domain/generations/end";
import { purgeLive } from "../../server/domain/generations/live";
import {
  purgeWaits,
  queueSupplied,
  redispatchFetches,
  redispatchLapsed,
  redispatchLatest,
  redispatchStale,
} from "../../server/domain/generations/queue";
import { purgeAnswers, purgeIdempotencyKeys, purgeJoinable } from "../../server/domain/generations/replay";
import { failTimedOut, pullBackTimes, requeueExpiredLeases } from "../../server/domain/generations/run";
import { indexOlderGenerations } from "../../server/domain/generations/search";
import { purgeHistory, rollUpWork, sampleLoad } from "../../server/domain/history";
import type { Hub } from "../../server/domain/hub";
import { purgeVectors } from "../../server/domain/openai";
import { rollUpMoney } from "../../server/domain/operations";
import { purgeFullBuckets } from "../../server/domain/rates";
import { purgeRejected } from "../../server/domain/rejections";
import { limitAllResponses, purgeResponses } from "../../server/domain/responses";
import { purgeSessions } from "../../server/domain/sessions";
import { purgeShareLinks } from "../../server/domain/shares";
import { purgeChanges } from "../../server/domain/streams";
import { purgeUsageLabels, rollUpUsage } from "../../server/domain/usage";
import { endStaleViews } from "../../server/domain/views";
import { failSandboxJobs } from "../../server/domain/workers";

const MAX_INDEXED = 20_000;
// How many rows one statement removes at most; most steps repeat it while it finds that many.
const MAX_FILES = 500;
const MAX_EVENTS = 2_000;
const MAX_ANSWERS = 5_000;
const MAX_KEYS = 5_000;
const MAX_PIECES = 500;
const MAX_REPLIES = 5_000;
const MAX_RESPONSES = 500;
const MAX_SESSIONS = 5_000;
const MAX_REJECTED = 20_000;
const MAX_LINKS = 5_000;
const MAX_CODES = 5_000;
const MAX_CHANGES = 10_000;
const MAX_LIVE = 200;
const MAX_HISTORY = 5_000;
const MAX_USAGE_SUMS = 5_000;
/** How long a sweep sums up usage, as after an upgrade. */
const ROLL_UP_MS = 15_000;
const MAX_BUDGET_WINDOWS = 5_000;
const MAX_EXPORTS = 10;

/** Repairs what was lost, every minute and at every start of a process. Each step may be repeated or skipped. */
export const sweep = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "sweep", triggers: [{ cron: "* * * * *" }, { event: "hub/sweep" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ event: { name }, step }) => ({
      // First, because the following steps compare these times.
      pulledBack: await step.run(
        "pull-back-times",
        async () => (await pullBackTimes(hub)) + (await pullBackDeliveries(hub)),
      ),
      redispatchedLatest: name === "hub/sweep" ? await step.run("renudge-latest", () => redispatchLatest(hub)) : 0,
      redispatchedQueued: await step.run("renudge", () => redispatchStale(hub)),
      changedBooks: await step.run("adopt-due-books", () => adoptDueBooks(hub)),
      // Before the time-outs, so that a lost wake-up fails no generation.
      supplied: await step.run("queue-supplied", () => queueSupplied(hub, "all")),
      redispatchedFetches: await step.run("redispatch-fetches", () => redispatchFetches(hub, name === "hub/sweep")),
      givenUpSupply: await step.run("give-up-supply", () => failSupplyTimedOut(hub)),
      waitedTooLong: await step.run("fail-waiting", () => failWaitingTooLong(hub)),
      purgedWaits: await step.run("purge-waits", () => purgeWaits(hub)),
      requeued: await step.run("requeue-lapsed", () => requeueExpiredLeases(hub)),
      failedSandbox: await step.run("fail-sandbox-jobs", () => failSandboxJobs(hub)),
      redispatchedRuns: await step.run("redispatch-lapsed", () => redispatchLapsed(hub)),
      timedOut: await step.run("fail-timed-out", () => failTimedOut(hub)),
      forgottenAnswers: await step.run("forget-answers", createDrain(hub, MAX_ANSWERS, purgeAnswers)),
      purgedKeys: await step.run("purge-idempotency-keys", createDrain(hub, MAX_KEYS, purgeIdempotencyKeys)),
      forgottenJoinable: await step.run("forget-joinable", createDrain(hub, MAX_ANSWERS, purgeJoinable)),
      purgedVectors: await step.run("purge-vectors", createDrain(hub, MAX_PIECES, purgeVectors)),
      purgedReplies: await step.run("purge-replies", createDrain(hub, MAX_REPLIES, purgeReplies)),
      // The hub's settings change only with a start.
      limitedResponses: name === "hub/sweep" ? await step.run("limit-responses", () => limitAllResponses(hub)) : 0,
      purgedResponses: await step.run("purge-responses", createDrain(hub, MAX_RESPONSES, purgeResponses)),
      expired: await step.run("expire-files", createDrain(hub, MAX_FILES, expireFiles)),
      purgedExports: await step.run("purge-exports", createDrain(hub, MAX_EXPORTS, purgeExports)),
      purgedSessions: await step.run("purge-sessions", () => purgeSessions(hub, MAX_SESSIONS)),
      endedViews: await step.run("end-views", () => endStaleViews(hub, MAX_SESSIONS)),
      rolledUp: await step.run("roll-up-money", () => rollUpMoney(hub)),
      sampledLoad: await step.run("sample-load", () => sampleLoad(hub)),
      rolledUpWork: await step.run("roll-up-work", () => rollUpWork(hub)),
      purgedHistory: await step.run("purge-history", createDrain(hub, MAX_HISTORY, purgeHistory)),
      purgedCodes: await step.run("purge-codes", () => purgeUnusedCodes(hub, MAX_CODES)),
      purgedBuckets: await step.run("purge-buckets", () => purgeFullBuckets(hub)),
      purgedRejected: await step.run("purge-rejected", createDrain(hub, MAX_REJECTED, purgeRejected)),
      purgedLinks: await step.run("purge-share-links", createDrain(hub, MAX_LINKS, purgeShareLinks)),
      purgedBudgets: await step.run("purge-budgets", createDrain(hub, MAX_BUDGET_WINDOWS, purgeBudgetWindows)),
      redispatchedDeliveries: await step.run("renudge-deliveries", () =>
        redispatchDeliveries(hub, name === "hub/sweep"),
      ),
      forgottenEvents: await step.run("forget-events", createDrain(hub, MAX_EVENTS, purgeEvents)),
      purgedChanges: await step.run("purge-changes", createDrain(hub, MAX_CHANGES, purgeChanges)),
      purgedLive: await step.run("purge-live", createDrain(hub, MAX_LIVE, purgeLive)),
      purgedUsage: await step.run("purge-usage-labels", createDrain(hub, MAX_USAGE_SUMS, purgeUsageLabels)),
      advancedClosures: await step.run("advance-closures", () => advanceClosures(hub)),
      erasedPending: await step.run("erase-pending", createDrain(hub, 1, erasePending)),
      mergedUsage: await step.run("merge-erased-usage", () => mergeErasedUsage(hub)),
      // Last, because they take seconds after an upgrade.
      summedUsage: await step.run("roll-up-usage", () => rollUpUsage(hub, ROLL_UP_MS)),
      indexed: await step.run("index-words", () => indexOlderGenerations(hub, MAX_INDEXED)),
    }),
  );

/** How long a sweep removes rows of one kind, so that its other steps are not late. */
const MAX_DRAIN_MS = 5_000;

/** Returns the work of a step that drains a purge of the hub. */
const createDrain = (hub: Hub, limit: number, purge: (hub: Hub, limit: number) => Promise<number>) => () =>
  drainPurge(limit, (maxRows) => purge(hub, maxRows));

/**
 * Repeats a purge of at most `limit` rows while it finds that many, for about five seconds. Returns how many rows it removed. One
 * statement of that size a minute would fall behind a busy hub; each statement stays small, so that its locks are short.
 */
export async function drainPurge(
  limit: number,
  purge: (limit: number) => Promise<number>,
  clock = () => performance.now(),
): Promise<number> {
  const deadline = clock() + MAX_DRAIN_MS;
  for (let removed = 0; ;) {
    const count = await purge(limit);
    removed += count;
    if (count < limit || clock() >= deadline) return removed;
  }
}
