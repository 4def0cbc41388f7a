import type { Logger } from "../../server/lib/log";
import { GENERATION_FAILED } from "../generation-failed";
import { type CallResult, callFunction } from "./call";
import { interpretAnswer } from "./interpret";
import type { Outcome } from "./outcome";
import type { FunctionConfig } from "./function-config";
import type { Handler } from "./register";
import type { ClaimedJob } from "./claim-jobs";

/** Runs one job to its outcome. Never throws: a fault of the call is a failed try. */
export async function executeJob(
  handler: Handler,
  { tries }: FunctionConfig,
  job: ClaimedJob,
  { now, log }: { now: () => Date; log: Logger },
): Promise<Outcome> {
  const answer = await callFunction(handler, job, tries).catch(fault);
  const outcome = interpretAnswer(job, tries, answer, now());
  if (outcome.end?.status === "failed" && !isGenerationFailed(outcome.end.result)) {
    log.warn({ function: job.function_id, run: job.run_id, error: outcome.end.result }, "a job failed");
  }
  return outcome;
}

const isGenerationFailed = (result: string): boolean =>
  (JSON.parse(result) as { name?: unknown } | null)?.name === GENERATION_FAILED;

const fault = (error: unknown): CallResult => ({
  status: 500,
  noRetry: false,
  retryAfter: null,
  body: JSON.stringify({ name: "Error", message: String(error) }),
});
