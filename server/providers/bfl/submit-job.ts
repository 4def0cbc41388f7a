import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { Nano } from "../../lib/money";
import { findApiUrl } from "../http/api";
import type { ApiResponse } from "../http/call-api";
import { describeRejection, sendSubmit, unreadableResponse } from "../http/describe-rejection";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { bflApi, deriveWebhookSecret, formatHandle } from "./api";

/** Files in the body make a submit slow. */
const TIMEOUT_MS = 60_000;
const MAX_POLLING_URL_LENGTH = 2_000;
/** A credit is 0.01 USD. */
const NANO_USD_PER_CREDIT = 10_000_000;
const MAX_CREDITS = 1_000_000;

const acceptedSchema = z.object({
  id: z.string().min(1).max(200),
  polling_url: z.string().max(MAX_POLLING_URL_LENGTH).optional().catch(undefined),
  cost: z.number().min(0).max(MAX_CREDITS).optional().catch(undefined),
});

/** Submits a job, which is polled afterwards. */
export function submitJob(job: Job, io: ProviderIo): Promise<JobState> {
  const request = { url: `/v1/${job.upstreamModel}`, json: buildRequest(job), timeoutMs: TIMEOUT_MS };
  return sendSubmit(bflApi, job, io, request, (response) => readResponse(response, job.route.provider));
}

const DATA_URI_HEADER = /^data:[\w.+-]+\/[\w.+-]+;base64,/;

/**
 * Returns the body of a submit: the input, with files as plain base64, and where to call back. A route whose model does
 * not know `webhook_url` sets it to null.
 */
function buildRequest({ input, callbackUrl, attemptId, route }: Job): Record<string, unknown> {
  const { webhook_url: ownUrl, ...parameters } = input;
  const body = stripDataUris(parameters) as Record<string, unknown>;
  if (callbackUrl === null || ownUrl === null) return body;
  const secret = deriveWebhookSecret(route.provider, attemptId);
  return { ...body, webhook_url: callbackUrl, ...(secret !== null && { webhook_secret: secret }) };
}

/** Returns a value in which the data URIs, at any depth, lack their header. */
function stripDataUris(value: unknown): unknown {
  if (typeof value === "string") return value.replace(DATA_URI_HEADER, "");
  if (Array.isArray(value)) return value.map(stripDataUris);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, stripDataUris(member)]));
}

function readResponse(response: ApiResponse, provider: ProviderSettings): JobState {
  const { status, body } = response;
  if (status < 200 || status >= 300) return describeError(response, provider);
  const accepted = acceptedSchema.safeParse(body);
  if (!accepted.success) return unreadableResponse(status);
  const { id, polling_url, cost } = accepted.data;
  const pollingUrl = findApiUrl(bflApi, provider, polling_url)?.href ?? null;
  return {
    state: "pending",
    upstreamId: formatHandle({ id, pollingUrl }),
    progress: null,
    pollAfterSeconds: 1,
    costUsd: cost === undefined ? undefined : toUsd(cost),
  };
}

const toUsd = (credits: number): Nano => BigInt(Math.round(credits * NANO_USD_PER_CREDIT));

const errorSchema = z.object({
  detail: z.union([
    z.string(),
    z
      .array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }))
      .transform((issues) => issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ")),
  ]),
});

function describeError(response: ApiResponse, provider: ProviderSettings): FailedJob {
  const { status } = response;
  const reason = errorSchema.safeParse(response.body).data?.detail ?? "";
  // A malformed key is answered like a malformed input.
  const isAboutKey = status === 422 && /api key/i.test(reason);
  return {
    ...describeRejection(isAboutKey ? { ...response, status: 401 } : response, provider, reason),
    upstreamStatus: status,
  };
}
