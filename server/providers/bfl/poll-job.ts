import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { findApiUrl, parseResponseUrl } from "../http/api";
import { ApiError, type ApiResponse, callApi } from "../http/call-api";
import { assertReadable, failAfterStart, refuseContent } from "../http/describe-rejection";
import { downloadOutput } from "../http/download";
import { pollDelaySeconds } from "../http/poll-delay";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { bflApi, type Handle, parseHandle } from "./api";

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

const ended = { cause: "outage", upstreamStatus: 200 } as const;
const noOutput = failAfterStart("invalid_output", "The provider's result has no output.", ended);
const noJob = failAfterStart("provider_error", "The provider no longer has the job.", ended);
const noSuccess = failAfterStart("provider_error", "The provider failed to generate the output.", ended);

/** What a job has failed with, by its status. */
const failures = new Map<string, FailedJob>([
  ["Error", noSuccess],
  ["Failed", noSuccess],
  // The input was refused before the work, which is not billed.
  ["Request Moderated", { ...refuseContent("yes", 200), costUsd: 0n }],
  ["Content Moderated", refuseContent("yes", 200)],
]);

const MAX_REDIRECTS = 2;

/** The status of a job that upstream does not know, or no longer; its response may have the status 404. */
const NOT_FOUND = "Task not found";

const resultSchema = z.object({
  status: z.string(),
  result: z.object({ sample: z.string() }).nullish().catch(null),
  progress: z.number().min(0).max(1).nullish().catch(null),
});

/** Returns what upstream says about a job. Throws ApiError when that cannot be read for now. */
async function fetchResult(provider: ProviderSettings, { id, pollingUrl }: Handle, io: ProviderIo) {
  const ownUrl = findApiUrl(bflApi, provider, `/v1/get_result?id=${encodeURIComponent(id)}`)!;
  const response = await getWithRedirects(provider, findApiUrl(bflApi, provider, pollingUrl) ?? ownUrl, io);
  const { data } = resultSchema.safeParse(response.body);
  if (data?.status !== NOT_FOUND) assertReadable(response);
  if (!data) throw new ApiError("unknown", "The provider's state could not be read.");
  return data;
}

/** Sends a request, and repeats it where upstream redirects it within its API. */
async function getWithRedirects(provider: ProviderSettings, first: URL, io: ProviderIo): Promise<ApiResponse> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await callApi(bflApi, provider, io, { url: url.href });
    if (response.status < 300 || response.status >= 400 || redirects === MAX_REDIRECTS) return response;
    const next = findApiUrl(bflApi, provider, parseResponseUrl(response.headers.location, url.href)?.href);
    if (!next) return response;
    url = next;
  }
}
