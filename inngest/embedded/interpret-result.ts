import { z } from "zod";
import { newId } from "../../server/lib/id";
import type { ClaimedJob } from "./claim-jobs";
import { parseDueTime } from "./due-time";
import { parseOptionalCondition } from "./function-config";
import type { NewJob, Outcome, StepResult } from "./outcome";
import type { CallResult } from "./sdk-handler";
import { createWaitKey } from "./wait-key";

const MAX_RESULT_LENGTH = 4 * 1024 * 1024;
const MAX_RETRY_PAUSE_S = 600;

const Operation = z.object({
  op: z.string(),
  id: z.string(),
  name: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  opts: z.object({ timeout: z.string(), if: z.string(), parallelMode: z.string() }).partial().nullish(),
});
type Operation = z.infer<typeof Operation>;

/** Returns the outcome of a job from the SDK's response. A response that the engine does not support fails the run. */
export function interpretResult(job: ClaimedJob, maxAttempts: number, result: CallResult, now: Date): Outcome {
  try {
    if (result.body.length > MAX_RESULT_LENGTH) throw new Error("a step may answer 4 MiB at most");
    if (result.status === 206) return interpretOperations(job, maxAttempts, result, now);
    const body: unknown = JSON.parse(result.body);
    if (result.status === 200) return { ...heldJob(job), runEnd: { status: "completed", result: result.body } };
    return isLastAttempt(job, maxAttempts, result) ? failRun(job, body, now) : scheduleRetry(job, result, now);
  } catch (error) {
    return failRun(job, { name: "Error", message: (error as Error).message }, now);
  }
}

const heldJob = (job: ClaimedJob) => ({ runId: job.run_id, jobId: job.id, fromState: "taken" as const });

const isLastAttempt = (job: ClaimedJob, maxAttempts: number, { noRetry }: CallResult): boolean =>
  noRetry || job.attempt + 1 >= maxAttempts;

function interpretOperations(job: ClaimedJob, maxAttempts: number, result: CallResult, now: Date): Outcome {
  const operations = z.array(Operation).min(1).parse(JSON.parse(result.body));
  const [first] = operations;
  // Several operations are parallel steps, which are planned before the first of them runs.
  if (operations.length > 1) return { ...heldJob(job), newJobs: operations.map((one) => planStep(job, one, now)) };
  const { op, id, data, error } = first!;
  switch (op) {
    case "StepRun":
      return { ...heldJob(job), stepResult: toStepResult(id, { data: data ?? null }) };
    case "StepFailed":
      return { ...heldJob(job), stepResult: toStepResult(id, { error }, true) };
    case "StepError":
      if (!isLastAttempt(job, maxAttempts, result)) return scheduleRetry(job, result, now);
      return { ...heldJob(job), stepResult: toStepResult(id, { error }, true) };
    default:
      return { ...heldJob(job), newJobs: [planStep(job, first!, now)] };
  }
}

function planStep({ event }: ClaimedJob, { op, id, name, opts }: Operation, now: Date): NewJob {
  if (opts?.parallelMode === "race") throw new Error("racing steps are not supported by the embedded engine");
  switch (op) {
    case "StepPlanned":
      return { step: id, kind: "call", attempt: 0, dueAt: null };
    case "Sleep":
      return { step: id, kind: "timer", attempt: 0, dueAt: parseDueTime(name ?? "", now) };
    case "WaitForEvent": {
      const expression = opts?.if ?? "";
      const key = createWaitKey(parseOptionalCondition(expression), event);
      const dueAt = parseDueTime(opts?.timeout ?? "", now);
      // Without a key no event can match, and only the timeout ends the wait.
      const wait = key === null ? undefined : { event: name!, key, expression };
      return { step: id, kind: "timer", attempt: 0, dueAt, wait };
    }
    default:
      throw new Error(`${op} is not supported by the embedded engine`);
  }
}

const toStepResult = (step: string, value: object, failed = false): StepResult => ({
  step,
  value: JSON.stringify(value),
  failed,
});

const scheduleRetry = (job: ClaimedJob, { retryAfter }: CallResult, now: Date): Outcome => ({
  ...heldJob(job),
  newJobs: [{ step: job.step, kind: "call", attempt: job.attempt + 1, dueAt: retryTime(job.attempt, retryAfter, now) }],
});

/**
 * Returns when a failed attempt is repeated: at the time that it asked for, else after 1, 2, 4, … seconds, up to ten
 * minutes, plus a random fifth of the pause at most.
 */
export function retryTime(attempt: number, retryAfter: string | null, now: Date): Date {
  const requestedS = retryAfter === null ? NaN : parseRetryAfter(retryAfter, now);
  const pauseS = Math.min(2 ** attempt, MAX_RETRY_PAUSE_S) * (1 + Math.random() / 5);
  return new Date(now.getTime() + 1000 * (Number.isNaN(requestedS) ? pauseS : Math.max(0, requestedS)));
}

const parseRetryAfter = (text: string, now: Date): number =>
  /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;

function failRun(job: ClaimedJob, error: unknown, now: Date): Outcome {
  const data = { function_id: job.function_id, run_id: job.run_id, event: job.event, error };
  const event = { id: newId(), name: "inngest/function.failed", data, ts: now.getTime() };
  return {
    ...heldJob(job),
    runEnd: { status: "failed", result: JSON.stringify(error), failureEvent: JSON.stringify(event) },
  };
}
