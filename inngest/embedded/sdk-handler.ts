import type { ClaimedJob } from "./claim-jobs";
import { type FunctionConfig, parseFunctionConfig } from "./function-config";

/** The SDK's own request handler, as `serve()` makes it. */
export type SdkHandler = (request: Request) => Promise<Response>;

/** The SDK's response to one call of a function. */
export interface CallResult {
  status: number;
  noRetry: boolean;
  /** Seconds, or a date. */
  retryAfter: string | null;
  /** JSON. */
  body: string;
}

// The SDK needs an address in its requests; nothing listens there.
const HANDLER_URL = "http://engine.invalid/api/inngest";
const HEADERS = { "content-type": "application/json", host: "engine.invalid" };

/**
 * Returns the configuration of the handler's functions by their ids, which the handler tells as it would tell an
 * Inngest server. Throws on the first function with an option that the engine does not support.
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

/** Calls a function for one job, with the request that an Inngest server would send. */
export async function callFunction(handler: SdkHandler, job: ClaimedJob, maxAttempts: number): Promise<CallResult> {
  const stepResults = job.step_results ?? [];
  const stack = stepResults.map(([step]) => step);
  const response = await handler(
    new Request(`${HANDLER_URL}?fnId=${encodeURIComponent(job.function_id)}&stepId=${job.step}`, {
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
          attempt: job.attempt,
          max_attempts: maxAttempts,
          disable_immediate_execution: false,
          use_api: false,
          stack: { stack, current: stack.length },
        },
      }),
    }),
  );
  return {
    status: response.status,
    noRetry: response.headers.get("x-inngest-no-retry") === "true",
    retryAfter: response.headers.get("retry-after"),
    body: await response.text(),
  };
}
