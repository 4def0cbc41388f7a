import { refuseContent } from "../http/describe-rejection";
import { downloadOutput } from "../http/download";
import { pollDelaySeconds } from "../http/poll-delay";
import type { Failure } from "../failure";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { bflApi } from "./api";
import { fetchResult, NOT_FOUND } from "./fetch-result";
import { parseHandle } from "./handle";

/** How long a new job may be unknown, because another region answers. */
const UNKNOWN_JOB_MS = 60_000;

/** Returns the state of a job. Throws ApiError when it cannot be read for now, ProviderError for an unusable output. */
export async function pollJob(job: Job, upstreamId: string, io: ProviderIo): Promise<JobState> {
  const { provider } = job.route;
  const { status, result, progress = null } = await fetchResult(provider, parseHandle(upstreamId), io);
  if (status === "Ready") {
    if (!result) return noOutput;
    const output = downloadOutput(bflApi, provider, io, result.sample);
    return { state: "succeeded", outputs: [output], upstreamStatus: 200 };
  }
  const failure = failures.get(status);
  if (failure) return failure;
  const ageMs = io.now().getTime() - job.openedAt.getTime();
  if (status === NOT_FOUND && ageMs >= UNKNOWN_JOB_MS) return noJob;
  return { state: "pending", upstreamId, progress, pollAfterSeconds: pollDelaySeconds(job, io) };
}

const failJob = (code: Failure["code"], message: string): FailedJob => ({
  state: "failed",
  started: "yes",
  cause: "outage",
  upstreamStatus: 200,
  error: { code, message, retryable: true },
});

const noOutput = failJob("invalid_output", "The provider's result has no output.");
const noJob = failJob("provider_error", "The provider no longer has the job.");
const noSuccess = failJob("provider_error", "The provider failed to generate the output.");

/** What a job has failed with, by its status. */
const failures = new Map<string, FailedJob>([
  ["Error", noSuccess],
  ["Failed", noSuccess],
  // The input was refused before the work, which is not billed.
  ["Request Moderated", { ...refuseContent("yes", 200), costUsd: 0n }],
  ["Content Moderated", refuseContent("yes", 200)],
]);
