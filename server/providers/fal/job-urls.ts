import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { findApiUrl } from "../http/api";
import type { Job } from "../job";
import { queueApi } from "./api";

/** The upstream id has at most 4 KiB for three of them. */
const MAX_URL_LENGTH = 1_000;

const jobUrl = z.string().max(MAX_URL_LENGTH).optional().catch(undefined);
export const requestId = z.string().regex(/^[\w-]{1,100}$/);
/** A larger one would not fit the column. */
const MAX_POSITION = 1_000_000;
export const queuePosition = z.number().int().min(0).max(MAX_POSITION).optional().catch(undefined);

/** A submit's answer. Its URLs are kept, because fal's documentation of them is contradictory. */
export const SubmittedJob = z.object({
  request_id: requestId,
  queue_position: queuePosition,
  status_url: jobUrl,
  response_url: jobUrl,
  cancel_url: jobUrl,
});
type SubmittedJob = z.infer<typeof SubmittedJob>;

/** Returns the upstream id of a job, without URLs that are not the job's own at the queue. */
export function buildUpstreamId(provider: ProviderSettings, job: SubmittedJob): string {
  const isOwn = (text: unknown) =>
    findApiUrl(queueApi, provider, text)?.pathname.includes(`/requests/${job.request_id}`) ?? false;
  const known = Object.entries(job).filter(([name, value]) => name === "request_id" || isOwn(value));
  return JSON.stringify(Object.fromEntries(known));
}

/** Returns where the state, the result and the cancellation of a job are. */
export function readJobUrls({ upstreamModel }: Job, upstreamId: string) {
  const job = SubmittedJob.parse(JSON.parse(upstreamId));
  const path = `${appPath(upstreamModel)}/requests/${job.request_id}`;
  return {
    status: job.status_url ?? `${path}/status`,
    result: job.response_url ?? path,
    cancel: job.cancel_url ?? `${path}/cancel`,
  };
}

/** Returns the path of an endpoint, such as `/fal-ai/flux/schnell`. */
export const endpointPath = (endpoint: string): string => `/${endpoint.split("/").map(encodeURIComponent).join("/")}`;

/** Returns the path of the app to which an endpoint belongs, such as `/fal-ai/flux`: its requests are there. */
function appPath(endpoint: string): string {
  const parts = endpoint.split("/");
  const isNamespaced = parts[0] === "workflows" || parts[0] === "comfy";
  return endpointPath(parts.slice(0, isNamespaced ? 3 : 2).join("/"));
}
