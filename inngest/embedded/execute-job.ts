import type { Logger } from "../../server/lib/log";
import { GENERATION_FAILED } from "../generation-failed";
import type { ClaimedJob } from "./claim-jobs";
import type { FunctionConfig } from "./function-config";
import { interpretResult } from "./interpret-result";
import type { Outcome } from "./outcome";
import { type CallResult, callFunction, type SdkHandler } from "./sdk-handler";

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
  status: 500,
  noRetry: false,
  retryAfter: null,
  body: JSON.stringify({ name: "Error", message: String(error) }),
});
