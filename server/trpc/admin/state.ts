import { z } from "zod";
import { listJobs, retryFailedRun } from "../../../inngest/embedded/jobs";
import { operationActions } from "../../actions/operations";
import { historyPeriods } from "../../domain/history";
import { getAlertRecipients, sendTestToOperators } from "../../domain/operator-alerts";
import { operate } from "../../domain/operator-actions";
import { byId, operatorProcedure, procedureOf, router } from "../procedure";

const MAX_FAILED_JOBS = 20;

export const state = router({
  get: procedureOf(operationActions.status).query(async ({ ctx: { hub, operator } }) => {
    const [status, providers, failedJobs] = await Promise.all([
      operationActions.status.run(hub, operator, undefined),
      operationActions.providers.run(hub, operator, undefined),
      hub.env.inngest ? null : listJobs(hub.db, { failed: true, limit: MAX_FAILED_JOBS }),
    ]);
    return {
      ...status,
      providers,
      alert_recipients: getAlertRecipients(hub),
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

  /** Returns what the charts draw of a period. */
  history: procedureOf(operationActions.history)
    .input(z.object({ period: z.enum(historyPeriods), by: z.enum(["model", "provider"]) }))
    .query(({ ctx: { hub, operator }, input }) => operationActions.history.run(hub, operator, input)),

  /** Restarts a failed job of the embedded engine. */
  retryJob: operatorProcedure
    .input(byId)
    .mutation(({ ctx: { hub, operator }, input }) => retryFailedRun(hub, operator, input.id)),

  /** Sends a test to everybody who gets the operators' alerts. */
  testAlerts: operatorProcedure.mutation(({ ctx: { hub } }) => sendTestToOperators(hub)),

  /** Runs the audit as a job; its verdict appears in the state. */
  audit: operatorProcedure.mutation(async ({ ctx: { hub, operator } }) => {
    await operate(hub, operator, { action: "audit.run", target: { kind: "hub", id: "" } }, () =>
      Promise.resolve({ before: null, after: null, result: undefined }),
    );
    hub.publish({ name: "hub/audit", data: {} });
  }),
});
