import type { Inngest } from "inngest";
import { failSupplyTimedOut, queueSupplied } from "../../server/domain/generations/supply";
import { indexOlderGenerations } from "../../server/domain/generations/index-words";
import { purgeAnswers } from "../../server/domain/generations/replay";
import { purgeUnusedCodes } from "../../server/domain/connections/exchange-code";
import type { Hub } from "../../server/context";
import { purgeReplies } from "../../server/domain/generations/chat-replies";
import { purgeJoinable } from "../../server/domain/generations/joinable";
import { expireFiles } from "../../server/domain/files/expire";
import { failWaitingTooLong } from "../../server/domain/generations/fail-waiting";
import { failTimedOut } from "../../server/domain/runs/fail-timed-out";
import { pullBackTimes } from "../../server/domain/generations/pull-back-times";
import { redispatchLapsed, redispatchStale, redispatchLatest } from "../../server/domain/generations/redispatch";
import { redispatchFetches } from "../../server/domain/generations/external-inputs";
import { purgeRejected } from "../../server/domain/rejections/purge-rejected";
import { purgeSessions } from "../../server/domain/sessions/session";
import { failSandboxJobs } from "../../server/domain/workers/fail-sandbox-jobs";
import { purgeWaits } from "../../server/domain/generations/route-waits";
import { requeueExpiredLeases } from "../../server/domain/generations/requeue";
import {
  purgeEvents,
  redispatchDeliveries,
  pullBackDeliveries,
} from "../../server/domain/webhooks/redispatch-deliveries";

const MAX_INDEXED = 20_000;
const MAX_FILES = 500;
const MAX_EVENTS = 2_000;
const MAX_ANSWERS = 5_000;
const MAX_REPLIES = 5_000;
const MAX_SESSIONS = 5_000;
const MAX_REJECTED = 20_000;
const MAX_CODES = 5_000;

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
      renudgedLatest: name === "hub/sweep" ? await step.run("renudge-latest", () => redispatchLatest(hub)) : 0,
      renudged: await step.run("renudge", () => redispatchStale(hub)),
      // Before the time-outs, so that a lost wake-up fails no generation.
      supplied: await step.run("queue-supplied", () => queueSupplied(hub, "all")),
      refetched: await step.run("redispatch-fetches", () => redispatchFetches(hub, name === "hub/sweep")),
      givenUpSupply: await step.run("give-up-supply", () => failSupplyTimedOut(hub)),
      waitedTooLong: await step.run("fail-waiting", () => failWaitingTooLong(hub)),
      purgedWaits: await step.run("purge-waits", () => purgeWaits(hub)),
      requeued: await step.run("requeue-lapsed", () => requeueExpiredLeases(hub)),
      failedSandbox: await step.run("fail-sandbox-jobs", () => failSandboxJobs(hub)),
      redispatched: await step.run("redispatch-lapsed", () => redispatchLapsed(hub)),
      timedOut: await step.run("fail-timed-out", () => failTimedOut(hub)),
      forgottenAnswers: await step.run("forget-answers", () => purgeAnswers(hub, MAX_ANSWERS)),
      forgottenJoinable: await step.run("forget-joinable", () => purgeJoinable(hub, MAX_ANSWERS)),
      purgedReplies: await step.run("purge-replies", () => purgeReplies(hub, MAX_REPLIES)),
      expired: await step.run("expire-files", () => expireFiles(hub, MAX_FILES)),
      purgedSessions: await step.run("purge-sessions", () => purgeSessions(hub, MAX_SESSIONS)),
      purgedCodes: await step.run("purge-codes", () => purgeUnusedCodes(hub, MAX_CODES)),
      purgedRejected: await step.run("purge-rejected", () => purgeRejected(hub, MAX_REJECTED)),
      redelivered: await step.run("renudge-deliveries", () => redispatchDeliveries(hub, name === "hub/sweep")),
      forgottenEvents: await step.run("forget-events", () => purgeEvents(hub, MAX_EVENTS)),
      // Last, because it takes seconds after an upgrade.
      indexed: await step.run("index-words", () => indexOlderGenerations(hub, MAX_INDEXED)),
    }),
  );
