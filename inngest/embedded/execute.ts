import { type Answer, call } from "./call";
import { interpret } from "./interpret";
import type { Outcome } from "./outcome";
import type { Plan } from "./plan";
import type { Handler } from "./register";
import type { TakenJob } from "./take";

/** Runs one job to its outcome. Never throws: a fault of the call is a failed try. */
export async function execute(
  handler: Handler,
  plans: Map<string, Plan>,
  job: TakenJob,
  now: () => Date,
): Promise<Outcome> {
  const tries = plans.get(job.function_id)?.tries ?? 1;
  const answer = await call(handler, job, tries).catch(fault);
  return interpret(job, tries, answer, now());
}

const fault = (error: unknown): Answer => ({
  status: 500,
  noRetry: false,
  retryAfter: null,
  body: JSON.stringify({ name: "Error", message: String(error) }),
});
