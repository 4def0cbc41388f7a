import type { ApiResponse } from "../http/call-api";
import { describeRejection, refuseContent, sendSubmit, unreadableResponse } from "../http/describe-rejection";
import type { Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { queueApi } from "./api";
import { isContentRefusal, readError } from "./describe-failure";
import { buildUpstreamId, endpointPath, SubmittedJob } from "./job-urls";
import { describePending } from "./poll";

/** A body with data URIs takes its time. */
const TIMEOUT_MS = 60_000;
/** fal rejects a shorter time. */
const MIN_START_SECONDS = 2;

/** Adds a job to the queue. */
export function submitJob(job: Job, io: ProviderIo): Promise<JobState> {
  const query = job.callbackUrl === null ? "" : `?fal_webhook=${encodeURIComponent(job.callbackUrl)}`;
  const leftSeconds = Math.ceil((job.deadlineAt.getTime() - io.now().getTime()) / 1000);
  const request = {
    url: `${endpointPath(job.upstreamModel)}${query}`,
    headers: { "x-fal-request-timeout": String(Math.max(MIN_START_SECONDS, leftSeconds)) },
    // With `sync_mode` the result holds the files themselves, and fal keeps such a large result for minutes only.
    json: { ...job.input, sync_mode: undefined },
    timeoutMs: TIMEOUT_MS,
  };
  return sendSubmit(queueApi, job, io, request, (response) => readResponse(job, io, response));
}

function readResponse(job: Job, io: ProviderIo, response: ApiResponse): JobState {
  const { provider } = job.route;
  const { status, body } = response;
  if (status >= 300) {
    const error = readError(response);
    const rejection = describeRejection(response, provider, error.reason);
    return rejection.started === "no" && isContentRefusal(error) ? refuseContent("no", status) : rejection;
  }
  const submitted = SubmittedJob.safeParse(body);
  if (!submitted.success) return unreadableResponse(status);
  return describePending(job, io, buildUpstreamId(provider, submitted.data), submitted.data.queue_position);
}
