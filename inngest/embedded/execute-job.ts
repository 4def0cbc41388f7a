import type { Logger } from "../../server/lib/log";
import { GENERATION_FAILED } from "../events";
import type { ClaimedJob } from "./claim-jobs";
import { collectFinishedSteps } from "./finished-steps";
import { type FunctionConfig, parseFunctionConfig } from "./function-config";
import { type CallResult, interpretResult } from "./interpret-result";
import type { Outcome } from "./outcome";
import { HANDLER_URL, type SdkHandler, type SdkRequest } from "./sdk-handler";

const HEADERS = { "content-type": "application/json", host: "engine.invalid" };

/**
 * Returns the configuration of the handler's functions by their ids, which the handler reports as to an Inngest
 * server. Throws on the first function with an option that the engine does not support.
 */
export async function registerFunctions(handler: SdkHandler): Promise<Map<string, FunctionConfig>> {
  const response = await handler({
    method: "PUT",
    headers: { ...HEADERS, "x-inngest-sync-kind": "in_band" },
    query: {},
    body: { url: HANDLER_URL },
  });
  const body = JSON.parse(response.body) as { functions?: unknown[] };
  if (response.status !== 200 || !body.functions) throw new Error(`functions did not register: ${response.body}`);
  return new Map(body.functions.map(parseFunctionConfig).map((config) => [config.id, config]));
}

/** Executes one job and returns its outcome. Never throws: an error of the call counts as a failed attempt. */
export async function executeJob(
  handler: SdkHandler,
  { maxAttempts }: FunctionConfig,
  job: ClaimedJob,
  { now, log }: { now: () => Date; log: Logger },
): Promise<Outcome> {
  const result = await callFunction(handler, job, maxAttempts).catch(toFailedCall);
  const outcome = interpretResult(job, maxAttempts, result, now());
  if (outcome.runEnd?.status === "failed" && !isGenerationFailed(outcome.runEnd.result)) {
    log.warn({ function: job.function_id, run: job.run_id, error: outcome.runEnd.result }, "job failed");
  }
  return outcome;
}

const isGenerationFailed = (result: string): boolean =>
  (JSON.parse(result) as { name?: unknown } | null)?.name === GENERATION_FAILED;

const toFailedCall = (error: unknown): CallResult => ({
  finishedSteps: [],
  status: 500,
  noRetry: false,
  retryAfter: null,
  body: JSON.stringify({ name: "Error", message: String(error) }),
});

/** Calls a function for one job, with the request that an Inngest server would send. */
async function callFunction(handler: SdkHandler, job: ClaimedJob, maxAttempts: number): Promise<CallResult> {
  const stepResults = job.step_results ?? [];
  const stack = stepResults.map(([step]) => step);
  const callId = `${job.run_id}/${job.id}`;
  const request: SdkRequest = {
    method: "POST",
    headers: { ...HEADERS, "x-run-id": job.run_id, "x-inngest-req-version": "-1" },
    query: { fnId: job.function_id, stepId: job.step },
    body: {
      version: -1,
      use_api: false,
      event: job.event,
      events: [job.event],
      steps: Object.fromEntries(stepResults),
      ctx: {
        run_id: job.run_id,
        fn_id: job.function_id,
        qi_id: callId,
        attempt: job.attempt,
        max_attempts: maxAttempts,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack, current: stack.length },
      },
    },
  };
  const [response, finishedSteps] = await collectFinishedSteps(callId, () => handler(request));
  const { status, headers, body } = response;
  return {
    status,
    body,
    finishedSteps,
    noRetry: headers["x-inngest-no-retry"] === "true",
    retryAfter: headers["retry-after"] ?? null,
  };
}
