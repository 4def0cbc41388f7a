import type { Inngest } from "inngest";
import type { Hub } from "../../server/context";
import { purgeAnswers } from "../../server/domain/chat/stored-answers";
import { purgeJoinable } from "../../server/domain/chat/joinable";
import { expireFiles } from "../../server/domain/files/expire";
import { failTimedOut } from "../../server/domain/generations/fail-timed-out";
import { pullBackTimes } from "../../server/domain/generations/pull-back-times";
import { redispatchLapsed, redispatchStale, redispatchLatest } from "../../server/domain/generations/redispatch";
import { redispatchFetches } from "../../server/domain/inputs/redispatch-fetches";
import { failSupplyTimedOut } from "../../server/domain/supply/fail-supply-timed-out";
import { purgeSessions } from "../../server/domain/sessions/purge";
import { queueSupplied } from "../../server/domain/supply/queue-supplied";
import { failSandboxJobs } from "../../server/domain/workers/fail-sandbox-jobs";
import { requeueExpiredLeases } from "../../server/domain/workers/requeue";
import { purgeEvents, redispatchDeliveries } from "../../server/domain/webhooks/redispatch-deliveries";

const FILES_A_SWEEP = 500;
const EVENTS_A_SWEEP = 2_000;
const ANSWERS_A_SWEEP = 5_000;
const SESSIONS_A_SWEEP = 5_000;

/** Finds what fell through, every minute and at every start. Each step may be repeated or left out without harm. */
export const sweep = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "sweep", triggers: [{ cron: "* * * * *" }, { event: "hub/sweep" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ event: { name }, step }) => ({
      // First, because the steps that follow go by these times.
      pulledBack: await step.run("pull-back-times", () => pullBackTimes(hub)),
      renudgedLatest: name === "hub/sweep" ? await step.run("renudge-latest", () => redispatchLatest(hub)) : 0,
      renudged: await step.run("renudge", () => redispatchStale(hub)),
      // Before giving up, so that a lost wake-up costs nobody a generation.
      supplied: await step.run("queue-supplied", () => queueSupplied(hub, "all")),
      refetched: await step.run("redispatch-fetches", () => redispatchFetches(hub, name === "hub/sweep")),
      givenUpSupply: await step.run("give-up-supply", () => failSupplyTimedOut(hub)),
      requeued: await step.run("requeue-lapsed", () => requeueExpiredLeases(hub)),
      failedSandbox: await step.run("fail-sandbox-jobs", () => failSandboxJobs(hub)),
      redispatched: await step.run("redispatch-lapsed", () => redispatchLapsed(hub)),
      timedOut: await step.run("fail-timed-out", () => failTimedOut(hub)),
      forgottenAnswers: await step.run("forget-answers", () => purgeAnswers(hub, ANSWERS_A_SWEEP)),
      forgottenJoinable: await step.run("forget-joinable", () => purgeJoinable(hub, ANSWERS_A_SWEEP)),
      expired: await step.run("expire-files", () => expireFiles(hub, FILES_A_SWEEP)),
      purgedSessions: await step.run("purge-sessions", () => purgeSessions(hub, SESSIONS_A_SWEEP)),
      redelivered: await step.run("renudge-deliveries", () => redispatchDeliveries(hub, name === "hub/sweep")),
      forgottenEvents: await step.run("forget-events", () => purgeEvents(hub, EVENTS_A_SWEEP)),
    }),
  );
