import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { ApiError, type ApiResponse, callApi } from "../http/call-api";
import {
  assertReadable,
  failAfterStart,
  parseRetryAfter,
  readCancelReply,
  refuseContent,
} from "../http/describe-rejection";
import { parseResponseUrl } from "../http/api";
import { downloadOutput, isOutputUrl } from "../http/download";
import { type FailedJob, type Job, type JobState, outputOf, type ProviderOutput, type ProviderUsage } from "../job";
import type { CancelReply, ProviderIo } from "../provider";
import { queueApi } from "./api";
import { describeFailure, readError } from "./describe-failure";
import { queuePosition, readJobUrls } from "./job-urls";

/** Well below the six minutes for which fal keeps a large result. */
const MAX_POLL_SECONDS = 15;
/** Enough for every word of a long recording with its time. */
const RESULT_BOUNDS = { maxBytes: 8 * 1024 * 1024, maxValues: 200_000 };

const JobStatus = z.object({
  status: z.enum(["IN_QUEUE", "IN_PROGRESS", "COMPLETED"]),
  queue_position: queuePosition,
  error: z.unknown().optional(),
  error_type: z.string().optional().catch(undefined),
  metrics: z
    .object({ inference_time: z.number().min(0).optional() })
    .optional()
    .catch(undefined),
});
type JobStatus = z.infer<typeof JobStatus>;

/** Returns the state of a job that waits or runs, to be asked for again after a quarter of its age. */
export function describePending(job: Job, io: ProviderIo, upstreamId: string, queuePosition?: number): JobState {
  const ageSeconds = (io.now().getTime() - job.openedAt.getTime()) / 1000;
  const pollAfterSeconds = Math.min(MAX_POLL_SECONDS, Math.max(1, ageSeconds / 4));
  return { state: "pending", upstreamId, progress: null, queuePosition, pollAfterSeconds };
}

/** Returns the state of a job, with its result when it has ended. */
export async function pollJob(job: Job, upstreamId: string, io: ProviderIo): Promise<JobState> {
  const { provider } = job.route;
  const urls = readJobUrls(job, upstreamId);
  const answer = await callApi(queueApi, provider, io, { url: urls.status });
  assertReadable(answer);
  const status = JobStatus.safeParse(answer.body);
  if (!status.success) throw unreadable(answer);
  const { status: state, queue_position } = status.data;
  if (state !== "COMPLETED") return describePending(job, io, upstreamId, queue_position);
  try {
    const result = await callApi(queueApi, provider, io, { url: urls.result, ...RESULT_BOUNDS });
    return readResult(job, io, status.data, result);
  } catch (error) {
    // It would be too large each time.
    if (error instanceof ApiError && error.isTooLarge) return failAfterStart("invalid_output", error.message);
    throw error;
  }
}

/**
 * Returns the end of a completed job; a failure is a completed one with an error. Throws ApiError for a response that
 * says nothing about the job, because the key is rejected for now or the queue is busy or down.
 */
function readResult(job: Job, io: ProviderIo, status: JobStatus, result: ApiResponse): JobState {
  const { provider } = job.route;
  const hasFailed = Boolean(status.error_type || status.error);
  if ([401, 403, 429].includes(result.status)) throw unreadable(result);
  if (result.status === 200 && !hasFailed) {
    assertReadable(result);
    return readOutputs(job, io, result.body as object, { computeSeconds: status.metrics?.inference_time });
  }
  const error = readError(result);
  // A 400 without a type may say that the result is not there yet.
  const isError = error.types.length > 0 || result.status === 422;
  if (result.status >= 400 && isError) return withStop(describeFailure(result, error, provider), status, error.types);
  const types = [status.error_type ?? ""];
  // The details of the failure have expired.
  if (hasFailed) return withStop(describeFailure({ headers: {} }, { types }, provider), status, types);
  throw unreadable(result);
}

/** Adds to a failure that the job was canceled. Whether fal bills what it had run until then is not documented. */
const withStop = (failure: FailedJob, { metrics }: JobStatus, types: string[]): FailedJob =>
  types.includes("client_cancelled") ? { ...failure, stopped: metrics?.inference_time ? "unknown" : "free" } : failure;

function unreadable({ status, headers }: ApiResponse): ApiError {
  const message = `The provider's response could not be read (status ${status}).`;
  return new ApiError("unknown", message, false, parseRetryAfter(headers));
}

/** Asks fal to take a job out of the queue, or to stop it, which its model may ignore. */
export async function cancelJob(job: Job, upstreamId: string, io: ProviderIo): Promise<CancelReply> {
  const { cancel } = readJobUrls(job, upstreamId);
  const response = await callApi(queueApi, job.route.provider, io, { method: "PUT", url: cancel });
  const { data } = EndedJob.safeParse(response.body);
  if (data && response.status < 500) return endedReplies[data.status];
  return readCancelReply(response);
}

/** The responses about a job that has ended: with a result to poll, or removed from the queue. */
const endedReplies = { ALREADY_COMPLETED: "asked", NOT_FOUND: "stopped" } as const;
const EndedJob = z.object({ status: z.enum(["ALREADY_COMPLETED", "NOT_FOUND"]) });

interface ResultFile {
  url: string;
  content_type?: unknown;
}

/** Members by which a model's files differ from other objects with a URL. */
const fileMembers = ["content_type", "file_name", "file_size", "width"];

/** Returns the success of a job with the files of its result, in their order. Pictures that fal blacked out are left out. */
function readOutputs(job: Job, io: ProviderIo, result: object, usage: ProviderUsage): JobState {
  const refused = job.input.enable_safety_checker === false ? [] : findRefusedPictures(result);
  const files = findFiles(result, job.route.provider).filter((file) => !refused.includes(file));
  if (files.length === 0 && refused.length > 0) return refuseContent("yes", 200);
  const outputs = [...new Map(files.map((file) => [file.url, toOutput(job, io, file)])).values()];
  const text = outputs.length === 0 ? readTextResult(result) : [];
  return { state: "succeeded", outputs: [...outputs, ...text], usage, upstreamStatus: 200 };
}

function findFiles(value: unknown, provider: ProviderSettings): ResultFile[] {
  if (typeof value !== "object" || value === null) return [];
  return isFile(value, provider) ? [value] : Object.values(value).flatMap((member) => findFiles(member, provider));
}

/** Returns whether an object is a file. All of its members but the URL may be missing. */
function isFile(value: object, provider: ProviderSettings): value is ResultFile {
  if (!("url" in value) || typeof value.url !== "string") return false;
  return fileMembers.some((name) => name in value) || isOutputUrl(queueApi, provider, parseResponseUrl(value.url));
}

/** Returns the pictures that a safety checker has flagged: their content is black. */
function findRefusedPictures(result: {
  images?: unknown;
  image?: unknown;
  video?: unknown;
  has_nsfw_concepts?: unknown;
}): unknown[] {
  const flags = [result.has_nsfw_concepts].flat();
  const pictures = [result.images ?? result.image ?? result.video].flat();
  return pictures.filter((_, index) => flags[index] === true);
}

const toOutput = (job: Job, io: ProviderIo, { url, content_type }: ResultFile): ProviderOutput => {
  const mediaType = typeof content_type === "string" ? content_type : null;
  return {
    mediaType,
    // A URL of another host fails the output when it is read, as an expired one does.
    read: async (store) => downloadOutput(queueApi, job.route.provider, io, url, mediaType).read(store),
  };
};

/** Returns the result of a model without files, such as a transcript with its times, as one JSON output. */
const readTextResult = (result: object): ProviderOutput[] =>
  "text" in result && typeof result.text === "string"
    ? [outputOf(Buffer.from(JSON.stringify(result)), "application/json")]
    : [];
