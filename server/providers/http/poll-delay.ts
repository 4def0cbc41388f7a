import type { Job } from "../job";
import type { ProviderIo } from "../provider";

const MIN_SECONDS = 1;
const MAX_SECONDS = 5;
/** A job that has run for this long, such as one for a video, is polled less often. */
const LONG_JOB_SECONDS = 60;
const MAX_LONG_JOB_SECONDS = 15;

/**
 * Returns the seconds until a pending job is polled again, by its age: from 1 to 5, each half as long again as the one
 * before; after a minute up to 15.
 */
export function pollDelaySeconds({ openedAt }: Pick<Job, "openedAt">, { now }: Pick<ProviderIo, "now">): number {
  const age = (now().getTime() - openedAt.getTime()) / 1000;
  if (age > LONG_JOB_SECONDS) return Math.min(MAX_LONG_JOB_SECONDS, (age * MAX_SECONDS) / LONG_JOB_SECONDS);
  return Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, age / 2));
}
