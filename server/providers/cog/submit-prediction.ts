import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { Api } from "../http/api";
import type { ApiResponse } from "../http/call-api";
import {
  describeRejection,
  failAfterStart,
  refuseContent,
  sendSubmit,
  unreadableResponse,
} from "../http/describe-rejection";
import { downloadOutput } from "../http/download";
import { redactMessage } from "../http/redact";
import { type FailedJob, type Job, type JobState, outputOf, type ProviderOutput } from "../job";
import type { ProviderIo } from "../provider";

/** Files are inside the response. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Asks the container to predict, and waits for the result. The path has the attempt's id, so that the work can be stopped by
 * it. When the connection breaks, cog stops the work.
 */
export function submitPrediction(job: Job, io: ProviderIo): Promise<JobState> {
  const request = {
    method: "PUT" as const,
    url: `/predictions/${job.attemptId}`,
    json: { input: job.input },
    timeoutMs: MAX_PREDICTION_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    isLarge: true,
  };
  return sendSubmit(cogApi, job, io, request, (response) =>
    response.status === 200 ? readPrediction(job, io, response) : describeUnaccepted(job, response),
  );
}

const Prediction = z.object({
  status: z.enum(["succeeded", "failed", "canceled"]),
  output: z.unknown().optional(),
  error: z.string().nullish().catch(null),
  metrics: z.object({ predict_time: z.number().nonnegative() }).optional().catch(undefined),
});

function readPrediction({ route: { provider } }: Job, io: ProviderIo, { status, body }: ApiResponse): JobState {
  const parsed = Prediction.safeParse(body);
  if (!parsed.success) return unreadableResponse(status);
  const { status: state, output, error, metrics } = parsed.data;
  if (state === "failed") return describeModelError(error ?? "", provider);
  if (state === "canceled") return { ...failStarted("The model was stopped."), stopped: "free" };
  return {
    state,
    outputs: readOutputs(provider, io, output),
    upstreamStatus: status,
    usage: { computeSeconds: metrics?.predict_time },
  };
}

/** What models raise when their safety checker refuses the content. */
const REFUSAL = /\bnsfw\b|safety (checker|filter)|content polic/i;
/** Written by cog before what the model raised. */
const PREFIXES = /^(Prediction failed: )+/;

function describeModelError(error: string, provider: ProviderSettings): FailedJob {
  if (REFUSAL.test(error)) return refuseContent("yes", 200);
  const reason = redactMessage(error.replace(PREFIXES, ""), provider).replace(/\.$/, "");
  return failStarted(`The model failed${reason && `: ${reason}`}.`);
}

const failStarted = (message: string): FailedJob => failAfterStart("provider_error", message, { upstreamStatus: 200 });

const InvalidInput = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).min(1),
});

function describeUnaccepted({ route: { provider } }: Job, response: ApiResponse): FailedJob {
  const { status, headers, body } = response;
  // The container has no free slot, which other servers say by 429.
  if (status === 409) return { ...describeRejection({ status: 429, headers }, provider), upstreamStatus: status };
  const issue = InvalidInput.safeParse(body).data?.detail[0];
  // The place begins with `body` and `input`.
  return describeRejection(response, provider, issue && `${issue.loc.slice(2).join(".")}: ${issue.msg}`);
}

/**
 * Returns the outputs of a prediction: the files anywhere in its value, otherwise one text, or one JSON document. None
 * for an empty value. Throws ProviderError for a file that the hub must not download or cannot decode.
 */
function readOutputs(provider: ProviderSettings, io: ProviderIo, value: unknown): ProviderOutput[] {
  const files = findFiles(value);
  if (files.length > 0) return files.map((file) => downloadOutput(cogApi, provider, io, file));
  // A model that yields its text piece by piece returns a list of the pieces.
  const pieces = Array.isArray(value) ? value : [value];
  if (pieces.every((piece) => typeof piece === "string")) {
    const text = pieces.join("");
    return text === "" ? [] : [outputOf(Buffer.from(text), "text/plain")];
  }
  return value === null || value === undefined
    ? []
    : [outputOf(Buffer.from(JSON.stringify(value)), "application/json")];
}

const FILE = /^(data:[\w.+-]+\/[\w.+-]+[;,]|https?:\/\/\S+$)/;

function findFiles(value: unknown): string[] {
  if (typeof value === "string") return FILE.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(findFiles) : [];
}

export const cogApi: Api = { authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }) };

/** As long as a model may run at most: the deadline of the job ends the request. */
export const MAX_PREDICTION_MS = 86_400_000;
