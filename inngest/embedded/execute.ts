import type { Logger } from "../../server/lib/log";
import { GENERATION_FAILED } from "../generation-failed";
import { type Answer, call } from "./call";
import { interpret } from "./interpret";
import type { Outcome } from "./outcome";
import type { Plan } from "./plan";
import type { Handler } from "./register";
import type { TakenJob } from "./take";

/** Runs one job to its outcome. Never throws: a fault of the call is a failed try. */
export async function execute(
  handler: Handler,
  { tries }: Plan,
  job: TakenJob,
  { now, log }: { now: () => Date; log: Logger },
): Promise<Outcome> {
  const answer = await call(handler, job, tries).catch(fault);
  const outcome = interpret(job, tries, answer, now());
  if (outcome.end?.status === "failed" && !isGenerationFailed(outcome.end.result)) {
    log.warn({ function: job.function_id, run: job.run_id, error: outcome.end.result }, "a job failed");
  }
  return outcome;
}

const isGenerationFailed = (result: string): boolean =>
  (JSON.parse(result) as { name?: unknown } | null)?.name === GENERATION_FAILED;

const fault = (error: unknown): Answer => ({
  status: 500,
  noRetry: false,
  retryAfter: null,
  body: JSON.stringify({ name: "Error", message: String(error) }),
});
