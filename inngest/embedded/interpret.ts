import { z } from "zod";
import { newId } from "../../server/lib/id";
import type { CallResult } from "./call";
import { dueAt } from "./due";
import type { StepResult, NewJob, Outcome } from "./outcome";
import { condition } from "./function-config";
import { retryAt } from "./retry-at";
import type { ClaimedJob } from "./claim-jobs";
import { waitKey } from "./wait-key";

const MAX_BYTES = 4 * 1024 * 1024;

const Operation = z.object({
  op: z.string(),
  id: z.string(),
  name: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  opts: z.object({ timeout: z.string(), if: z.string(), parallelMode: z.string() }).partial().nullish(),
});
type Operation = z.infer<typeof Operation>;

/** What an answer of the SDK means for its job. Whatever the engine does not know fails the run. */
export function interpretAnswer(job: ClaimedJob, tries: number, answer: CallResult, now: Date): Outcome {
  try {
    if (answer.body.length > MAX_BYTES) throw new Error("a step may answer 4 MiB at most");
    if (answer.status === 206) return operations(job, tries, answer, now);
    const body: unknown = JSON.parse(answer.body);
    if (answer.status === 200) return { ...of(job), end: { status: "completed", result: answer.body } };
    return answer.noRetry || job.attempt + 1 >= tries ? fail(job, body, now) : scheduleRetry(job, answer, now);
  } catch (error) {
    return fail(job, { name: "Error", message: (error as Error).message }, now);
  }
}

function operations(job: ClaimedJob, tries: number, answer: CallResult, now: Date): Outcome {
  const found = z.array(Operation).min(1).parse(JSON.parse(answer.body));
  const [only] = found;
  if (found.length > 1) return { ...of(job), jobs: found.map((operation) => plan(job, operation, now)) };
  switch (only!.op) {
    case "StepRun":
      return { ...of(job), memo: memo(only!.id, { data: only!.data ?? null }) };
    case "StepFailed":
      return { ...of(job), memo: memo(only!.id, { error: only!.error }, true) };
    case "StepError":
      if (answer.noRetry || job.attempt + 1 >= tries) {
        return { ...of(job), memo: memo(only!.id, { error: only!.error }, true) };
      }
      return scheduleRetry(job, answer, now);
    default:
      return { ...of(job), jobs: [plan(job, only!, now)] };
  }
}

function plan({ event }: ClaimedJob, { op, id, name, opts }: Operation, now: Date): NewJob {
  if (opts?.parallelMode === "race") throw new Error("racing steps are not supported by the embedded engine");
  switch (op) {
    case "StepPlanned":
      return { step: id, kind: "call", attempt: 0, due: null };
    case "Sleep":
      return { step: id, kind: "timer", attempt: 0, due: dueAt(name ?? "", now) };
    case "WaitForEvent": {
      const expression = opts?.if ?? "";
      // What can never match has no key: only its time-out ends it.
      const key = waitKey(condition(expression), event);
      const due = dueAt(opts?.timeout ?? "", now);
      return {
        step: id,
        kind: "timer",
        attempt: 0,
        due,
        wait: key === null ? undefined : { event: name!, key, expression },
      };
    }
    default:
      throw new Error(`${op} is not supported by the embedded engine`);
  }
}

const of = (job: ClaimedJob) => ({ run: job.run_id, job: job.id, from: "taken" as const });

const memo = (step: string, value: object, failed = false): StepResult => ({
  step,
  value: JSON.stringify(value),
  failed,
});

const scheduleRetry = (job: ClaimedJob, { retryAfter }: CallResult, now: Date): Outcome => ({
  ...of(job),
  jobs: [{ step: job.step, kind: "call", attempt: job.attempt + 1, due: retryAt(job.attempt, retryAfter, now) }],
});

function fail(job: ClaimedJob, error: unknown, now: Date): Outcome {
  const data = {
    function_id: job.function_id,
    run_id: job.run_id,
    event: job.event,
    error,
  };
  const event = { id: newId(), name: "inngest/function.failed", data, ts: now.getTime() };
  return { ...of(job), end: { status: "failed", result: JSON.stringify(error), event: JSON.stringify(event) } };
}
