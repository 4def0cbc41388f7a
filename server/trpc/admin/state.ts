import { listJobs, retryFailedRun } from "../../../inngest/embedded/jobs";
import { findVerdict } from "../../domain/audit";
import { describeProviders } from "../../domain/generations/read";
import { getHubState, sumMoney } from "../../domain/operations";
import { operate } from "../../domain/operator-actions";
import { auditorProcedure, byId, operatorProcedure, router } from "../procedure";

const DAYS = 14;
const MAX_FAILED_JOBS = 20;

export const state = router({
  get: auditorProcedure.query(async ({ ctx: { hub } }) => {
    const [state, money, verdict, providers, failedJobs] = await Promise.all([
      getHubState(hub),
      sumMoney(hub, DAYS),
      findVerdict(hub),
      describeProviders(hub),
      hub.env.inngest ? null : listJobs(hub.db, { failed: true, limit: MAX_FAILED_JOBS }),
    ]);
    return {
      ...state,
      money,
      verdict,
      providers,
      /** Null where an Inngest server runs the jobs. */
      failed_jobs:
        failedJobs?.map(({ id, function: name, endedAt, error }) => ({
          id,
          name,
          error,
          ended_at: endedAt?.toISOString() ?? null,
        })) ?? null,
    };
  }),

  /** Restarts a failed job of the embedded engine. */
  retryJob: operatorProcedure
    .input(byId)
    .mutation(({ ctx: { hub, operator }, input }) => retryFailedRun(hub, operator, input.id)),

  /** Runs the audit as a job; its verdict appears in the state. */
  audit: operatorProcedure.mutation(async ({ ctx: { hub, operator } }) => {
    await operate(hub, operator, { action: "audit.run", target: { kind: "hub", id: "" } }, () =>
      Promise.resolve({ before: null, after: null, result: undefined }),
    );
    hub.publish({ name: "hub/audit", data: {} });
  }),
});
