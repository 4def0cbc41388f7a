import { z } from "zod";
import { sendSubmit, unreadableResponse } from "../http/describe-rejection";
import type { Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { isDeployment, MAX_INLINE_BYTES, PredictionId, replicateApi } from "./api";
import { describeProblem } from "./describe-problem";
import { buildPendingState } from "./poll";

const TIMEOUT_MS = 60_000;
const MIN_CANCEL_SECONDS = 5;
const MAX_CANCEL_SECONDS = 86_400;

/** Creates a prediction and returns at once, without its result, so that its id is stored first. */
export function submitPrediction(job: Job, io: ProviderIo): Promise<JobState> {
  const request = {
    ...buildRequest(job),
    timeoutMs: TIMEOUT_MS,
    headers: { "cancel-after": formatCancelAfter(job, io) },
    // The response repeats the input.
    maxBytes: MAX_INLINE_BYTES,
  };
  return sendSubmit(replicateApi, job, io, request, (response) => {
    if (response.status < 200 || response.status >= 300) return describeProblem(response, job.route.provider);
    const { data } = z.object({ id: PredictionId }).safeParse(response.body);
    return data ? buildPendingState(job, data.id, io) : unreadableResponse(response.status);
  });
}

function buildRequest({ upstreamModel, input, callbackUrl }: Job): { url: string; json: unknown } {
  const json = { input, ...(callbackUrl && { webhook: callbackUrl, webhook_events_filter: ["completed"] }) };
  if (isDeployment(upstreamModel)) return { url: `/${upstreamModel}/predictions`, json };
  return { url: "/predictions", json: { version: upstreamModel, ...json } };
}

/** Returns the time until the deadline as Replicate writes it, such as `1h30m`. */
function formatCancelAfter({ deadlineAt }: Job, { now }: ProviderIo): string {
  const left = Math.ceil((deadlineAt.getTime() - now().getTime()) / 1000);
  const seconds = Math.min(MAX_CANCEL_SECONDS, Math.max(MIN_CANCEL_SECONDS, left));
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`];
  return parts.filter((part) => !part.startsWith("0")).join("");
}
