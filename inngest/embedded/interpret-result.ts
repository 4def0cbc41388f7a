import { z } from "zod";
import type { ClaimedJob } from "./claim-jobs";
import { parseOptionalCondition } from "./function-config";
import type { NewJob, Outcome, StepResult } from "./outcome";
import { createWaitKey } from "./wait-key";

const MAX_RESULT_LENGTH = 4 * 1024 * 1024;
const MAX_RETRY_PAUSE_S = 600;

/** The SDK's response to one call of a function. */
export interface CallResult {
  status: number;
  noRetry: boolean;
  /** Seconds, or a date. */
  retryAfter: string | null;
  /** JSON. */
  body: string;
  /** The operations of the steps that the call reported before. */
  finishedSteps: unknown[];
}

const Operation = z.object({
  op: z.string(),
  id: z.string(),
  name: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  opts: z.object({ timeout: z.string(), if: z.string(), parallelMode: z.string() }).partial().nullish(),
});
type Operation = z.infer<typeof Operation>;
const Operations = z.array(Operation).min(1);

/** Returns the outcome of a job from the SDK's response. A response that the engine does not support fails the run. */
export function interpretResult(job: ClaimedJob, maxAttempts: number, result: CallResult, now: Date): Outcome {
  try {
    if (result.body.length > MAX_RESULT_LENGTH) throw new Error("a step may answer 4 MiB at most");
    if (result.status === 206) return interpretOperations(job, maxAttempts, result, now);
    const body: unknown = JSON.parse(result.body);
    if (result.status === 200) return { ...heldJob(job), runEnd: { status: "completed", result: result.body } };
    if (isLastAttempt(job, maxAttempts, result)) return failRun(job, body);
    return { ...scheduleRetry(job, result, now), stepResults: readFinishedSteps(result) };
  } catch (error) {
    return failRun(job, { name: "Error", message: (error as Error).message });
  }
}

const heldJob = (job: ClaimedJob) => ({ runId: job.run_id, jobId: job.id, fromState: "taken" as const });

const isLastAttempt = (job: ClaimedJob, maxAttempts: number, { noRetry }: CallResult): boolean =>
  noRetry || job.attempt + 1 >= maxAttempts;

/**
 * Returns the outcome of a call that returned operations: the steps that it finished, and how it ended: with an error,
 * with the function's result, or with what the run does next.
 */
function interpretOperations(job: ClaimedJob, maxAttempts: number, result: CallResult, now: Date): Outcome {
  const operations = Operations.parse(JSON.parse(result.body));
  const isFinished = ({ op }: Operation) => op === "StepRun";
  const stepResults = [...readFinishedSteps(result), ...operations.filter(isFinished).map(toFinished)];
  const rest = operations.filter((operation) => !isFinished(operation));
  const outcome: Outcome = { ...heldJob(job), stepResults };
  const [first] = rest;
  if (!first) return outcome;
  // Several operations are parallel steps, which are planned before the first of them runs.
  if (rest.length > 1) return { ...outcome, newJobs: rest.map((one) => planStep(job, one, now)) };
  switch (first.op) {
    case "RunComplete":
      return { ...outcome, runEnd: { status: "completed", result: JSON.stringify(first.data ?? null) } };
    case "StepError":
      if (!isLastAttempt(job, maxAttempts, result)) return { ...outcome, ...scheduleRetry(job, result, now) };
      return { ...outcome, stepResults: [...stepResults, toFailed(first)] };
    case "StepFailed":
      return { ...outcome, stepResults: [...stepResults, toFailed(first)] };
    default:
      return { ...outcome, newJobs: [planStep(job, first, now)] };
  }
}

const readFinishedSteps = ({ finishedSteps }: CallResult): StepResult[] =>
  z.array(Operation).parse(finishedSteps).map(toFinished);

const toFinished = ({ id, data }: Operation): StepResult => ({
  step: id,
  value: JSON.stringify({ data: data ?? null }),
  failed: false,
});

const toFailed = ({ id, error }: Operation): StepResult => ({
  step: id,
  value: JSON.stringify({ error }),
  failed: true,
});

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

const scheduleRetry = (job: ClaimedJob, { retryAfter }: CallResult, now: Date): Outcome => ({
  ...heldJob(job),
  newJobs: [{ step: job.step, kind: "call", attempt: job.attempt + 1, dueAt: retryTime(job.attempt, retryAfter, now) }],
});

/**
 * Returns when a failed attempt is repeated: at the time that it asked for, else after 1, 2, 4, … seconds, up to ten
 * minutes, plus a random part of up to a fifth of the pause.
 */
export function retryTime(attempt: number, retryAfter: string | null, now: Date): Date {
  const requestedS = retryAfter === null ? NaN : parseRetryAfter(retryAfter, now);
  const pauseS = Math.min(2 ** attempt, MAX_RETRY_PAUSE_S) * (1 + Math.random() / 5);
  return new Date(now.getTime() + 1000 * (Number.isNaN(requestedS) ? pauseS : Math.max(0, requestedS)));
}

const parseRetryAfter = (text: string, now: Date): number =>
  /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;

const failRun = (job: ClaimedJob, error: unknown): Outcome => ({
  ...heldJob(job),
  runEnd: { status: "failed", result: JSON.stringify(error) },
});

const UNIT_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const MAX_WAIT_MS = 366 * 86_400_000;

/**
 * Parses the end of a wait as the SDK writes it: a duration from `now` (`2h30m`, empty for none) or a date. Throws on
 * anything else, and on a time more than 366 days ahead.
 */
export function parseDueTime(text: string, now: Date): Date {
  const due = /^(\d+[wdhms])*$/.test(text) ? new Date(now.getTime() + parseDurationMs(text)) : new Date(text);
  if (Number.isNaN(due.getTime())) throw new Error(`\`${text}\` is neither a duration nor a date`);
  if (due.getTime() - now.getTime() > MAX_WAIT_MS) throw new Error(`\`${text}\` is more than 366 days away`);
  return due;
}

const parseDurationMs = (text: string) =>
  [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0);
