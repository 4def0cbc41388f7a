import { isDatabaseUnavailable } from "../../server/lib/is-unavailable";
import { runInSpan, type SpanAttributes, type Tracing } from "../../server/lib/tracing/tracing";
import { type GetStepTools, type Inngest, RetryAfterError, StepError } from "inngest";

/** Seconds after which a failing step is tried again: after its first failure, its second and its third. */
const RETRY_AFTER_SECONDS = [1, 2, 4] as const;
export const MAX_RETRIES = RETRY_AFTER_SECONDS.length;

/** Engines keep the name and the message of an error, so a function knows this one by its name. */
const DATABASE_UNAVAILABLE = "DatabaseUnavailable";

class DatabaseUnavailable extends RetryAfterError {
  override name = DATABASE_UNAVAILABLE;
}

/** Returns whether all tries of a step have failed, the last one because the database was unavailable. */
export const isDatabaseOutage = (error: unknown): boolean =>
  error instanceof StepError && error.name === DATABASE_UNAVAILABLE;

interface Call {
  step: GetStepTools<Inngest>;
  /** How often the step that runs in this call has failed. */
  attempt: number;
}

/** What a step is called in traces. */
interface StepTrace {
  tracing: Tracing | null;
  /** The id of the function. */
  name: string;
  attributes: SpanAttributes;
  /** The `traceparent` of what caused the run. */
  link?: string;
}

/**
 * Returns `step.run` for steps that are tried again after 1, 2 and 4 seconds: otherwise an Inngest server would wait
 * for 15 to 60. The function sees the failure of the last try as a StepError.
 */
export const retrySteps =
  ({ step, attempt }: Call, { tracing, name, attributes, link }: StepTrace) =>
  <T>(id: string, work: () => Promise<T>) =>
    step.run(id, async () => {
      try {
        return await runInSpan(tracing, () => ({ name: `${name} ${id}`, kind: "consumer", attributes, link }), work);
      } catch (error) {
        const seconds = RETRY_AFTER_SECONDS[attempt] ?? RETRY_AFTER_SECONDS[MAX_RETRIES - 1];
        const Failure = isDatabaseUnavailable(error) ? DatabaseUnavailable : RetryAfterError;
        throw new Failure((error as Error).message, seconds! * 1000);
      }
    });
