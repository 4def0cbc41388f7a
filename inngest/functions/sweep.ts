import type { Inngest } from "inngest";
import type { Hub } from "../../server/context";
import { forgetAnswers } from "../../server/domain/chat/forget-answers";
import { expireFiles } from "../../server/domain/files/expire";
import { giveUp, renudge, renudgeLatest } from "../../server/domain/generations/sweep";

const FILES_A_SWEEP = 500;
const ANSWERS_A_SWEEP = 5_000;

/** Finds what fell through, every minute and at every start. Each step may be repeated or left out without harm. */
export const sweep = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "sweep", triggers: [{ cron: "* * * * *" }, { event: "hub/sweep" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ event, step }) => ({
      renudgedLatest: event.name === "hub/sweep" ? await step.run("renudge-latest", () => renudgeLatest(hub)) : 0,
      renudged: await step.run("renudge", () => renudge(hub)),
      givenUp: await step.run("give-up", () => giveUp(hub)),
      forgotten: await step.run("forget-answers", () => forgetAnswers(hub, ANSWERS_A_SWEEP)),
      expired: await step.run("expire-files", () => expireFiles(hub, FILES_A_SWEEP)),
    }),
  );
