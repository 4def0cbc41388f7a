import type { Logger } from "../../server/lib/log";
import { GENERATION_FAILED } from "../events";
import type { ClaimedJob } from "./claim-jobs";
import { collectFinishedSteps } from "./finished-steps";
import { type FunctionConfig, parseFunctionConfig } from "./function-config";
import { type CallResult, interpretResult } from "./interpret-result";
import type { Outcome } from "./outcome";

/** The SDK's own request handler, as `serve()` makes it. */
type SdkHandler = (request: Request) => Promise<Response>;

// The SDK needs an address in its requests; nothing listens there.
const HANDLER_URL = "http://engine.invalid/api/inngest";
const HEADERS = { "content-type": "application/json", host: "engine.invalid" };

/**
 * Returns the configuration of the handler's functions by their ids, which the handler reports as to an Inngest
 * server. Throws on the first function with an option that the engine does not support.
 */
export async function registerFunctions(handler: SdkHandler): Promise<Map<string, FunctionConfig>> {
  const response = await handler(
    new Request(HANDLER_URL, {
      method: "PUT",
      headers: { ...HEADERS, "x-inngest-sync-kind": "in_band" },
      body: JSON.stringify({ url: HANDLER_URL }),
    }),
  );
  const body = (await response.json()) as { functions?: unknown[] };
  if (!response.ok || !body.functions) throw new Error(`functions did not register: ${JSON.stringify(body)}`);
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
  const request = new Request(`${HANDLER_URL}?fnId=${encodeURIComponent(job.function_id)}&stepId=${job.step}`, {
    method: "POST",
    headers: { ...HEADERS, "x-run-id": job.run_id, "x-inngest-req-version": "-1" },
    body: JSON.stringify({
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
    }),
  });
  const [response, finishedSteps] = await collectFinishedSteps(callId, () => handler(request));
  return {
    status: response.status,
    noRetry: response.headers.get("x-inngest-no-retry") === "true",
    retryAfter: response.headers.get("retry-after"),
    body: await response.text(),
    finishedSteps,
  };
}
