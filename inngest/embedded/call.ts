import { ADDRESS, type Handler, HEADERS } from "./register";
import type { ClaimedJob } from "./claim-jobs";

/** What the SDK answered to one call of a function. */
export interface CallResult {
  status: number;
  noRetry: boolean;
  /** Seconds, or a date. */
  retryAfter: string | null;
  /** JSON. */
  body: string;
}

/** Calls a function for one job, with the words of an Inngest server. */
export async function callFunction(handler: Handler, job: ClaimedJob, tries: number): Promise<CallResult> {
  const memos = job.memos ?? [];
  const stack = memos.map(([step]) => step);
  const response = await handler(
    new Request(`${ADDRESS}?fnId=${encodeURIComponent(job.function_id)}&stepId=${job.step}`, {
      method: "POST",
      headers: { ...HEADERS, "x-run-id": job.run_id, "x-inngest-req-version": "-1" },
      body: JSON.stringify({
        version: -1,
        use_api: false,
        event: job.event,
        events: [job.event],
        steps: Object.fromEntries(memos),
        ctx: {
          run_id: job.run_id,
          attempt: job.attempt,
          max_attempts: tries,
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
