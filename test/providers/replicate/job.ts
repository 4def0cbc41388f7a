import { randomUUID } from "node:crypto";
import type { Job } from "../../../server/providers/job";
import { buildJob, buildProvider } from "../job";
import type { ReplicateDouble } from "./double";
import { OFFICIAL_MODEL } from "./models";

/** Returns a job for the double, with a callback URL at which nobody listens. */
export function buildReplicateJob(
  { base }: Pick<ReplicateDouble, "base">,
  { upstreamModel = OFFICIAL_MODEL, input = { prompt: "a cat" }, ...overrides }: Omit<Partial<Job>, "route"> = {},
): Job {
  const attemptId = randomUUID();
  const callbackUrl = `http://127.0.0.1:9/api/callbacks/providers/${attemptId}?token=t`;
  return buildJob(buildProvider("replicate", base), upstreamModel, input, { attemptId, callbackUrl, ...overrides });
}
