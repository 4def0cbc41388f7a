import { type GetStepTools, type Inngest, RetryAfterError } from "inngest";

/** Seconds after which a failing step is tried again: after its first failure, its second and its third. */
const RETRY_AFTER_SECONDS = [1, 2, 4] as const;
export const MAX_RETRIES = RETRY_AFTER_SECONDS.length;

interface Call {
  step: GetStepTools<Inngest>;
  /** How often the step that runs in this call has failed. */
  attempt: number;
}

/**
 * Returns `step.run` for steps that are tried again after 1, 2 and 4 seconds: by itself an Inngest server would wait
 * for 15 to 60. The function sees the failure of the last try as a StepError.
 */
export const retrySteps =
  ({ step, attempt }: Call) =>
  <T>(id: string, work: () => Promise<T>) =>
    step.run(id, async () => {
      try {
        return await work();
      } catch (error) {
        const seconds = RETRY_AFTER_SECONDS[attempt] ?? RETRY_AFTER_SECONDS[MAX_RETRIES - 1];
        throw new RetryAfterError((error as Error).message, seconds! * 1000);
      }
    });
