import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { Api } from "../http/api";
import type { ApiResponse } from "../http/call-api";
import { checkAccess } from "../http/check-access";
import { describeRejection, parseRetryAfter, sendSubmit } from "../http/describe-rejection";
import type { FailedJob, Job, JobState } from "../job";
import type { Provider, ProviderIo } from "../provider";
import { readResponse } from "./read-response";

const geminiApi: Api = { authorize: (apiKey) => ({ "x-goog-api-key": apiKey }) };

/** Large pictures of thinking models take minutes. */
const TIMEOUT_MS = 300_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Google's API for Gemini models that draw. One request does all: nothing finds or stops what it began. */
export const gemini = {
  defaultBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
  inputModes: ["inline"],
  submitTimeoutMs: TIMEOUT_MS,
  submit: generateContent,

  check: ({ provider, upstreamModel }, io) =>
    checkAccess(geminiApi, provider, io, `/models/${upstreamModel}`, ({ status, body }) =>
      status === 400 && isAccountError(parseError(body)) ? "The provider rejects the key." : undefined,
    ),
} satisfies Provider;

function generateContent(job: Job, io: ProviderIo): Promise<JobState> {
  const request = {
    url: `/models/${job.upstreamModel}:generateContent`,
    json: buildRequest(job.input),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    isLarge: true,
  };
  return sendSubmit(geminiApi, job, io, request, (response) =>
    response.status === 200 ? readResponse(response.body) : describeError(response, job.route.provider),
  );
}

const text = z.string().optional().catch(undefined);

const errorSchema = z.object({
  error: z.object({
    message: text,
    status: text,
    details: z.array(z.object({ reason: text, retryDelay: text }).catch({})).catch([]),
  }),
});

type GeminiError = z.infer<typeof errorSchema>["error"];

/** Returns Google's error in a response; empty if there is none. */
const parseError = (body: unknown): GeminiError => errorSchema.safeParse(body).data?.error ?? { details: [] };

/** Returns whether an error is about the key, or about what its project may use. Both have the status 400. */
const isAccountError = ({ status, details }: GeminiError): boolean =>
  status === "FAILED_PRECONDITION" || details.some(({ reason }) => reason === "API_KEY_INVALID");

/** Returns the failure of a submit whose response has an unsuccessful status. */
function describeError(response: ApiResponse, provider: ProviderSettings): FailedJob {
  const { status } = response;
  const error = parseError(response.body);
  const isAccount = status === 400 && isAccountError(error);
  const failure = describeRejection(isAccount ? { ...response, status: 403 } : response, provider, error.message);
  return { ...failure, upstreamStatus: status, retryAfter: failure.retryAfter ?? parseRetryDelay(error) };
}

/** Returns the whole seconds of a `RetryInfo` such as `17.2s`. */
function parseRetryDelay({ details }: GeminiError): number | undefined {
  const delay = details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  const [, seconds] = /^(\d{1,6}(?:\.\d{1,3})?)\d*s$/.exec(delay ?? "") ?? [];
  return seconds === undefined ? undefined : parseRetryAfter({ "retry-after": seconds });
}

/** A file as it is in a request or response. */
interface InlineData {
  mimeType: string;
  data: string;
}

/** The body of `generateContent`. */
interface GenerateContentRequest {
  contents: [{ role: "user"; parts: ({ text: string } | { inlineData: InlineData })[] }];
  generationConfig: Record<string, unknown>;
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/**
 * Returns the request for an input: `prompt` or `text` is its text; data URIs, which the hub makes of file parameters
 * whatever their names, are its pictures; `aspect_ratio` and `resolution` or `image_size` are its `imageConfig`; all else
 * is in `generationConfig`. Nulls and empty lists are left out, because the API rejects members that it does not know.
 */
function buildRequest(input: Record<string, unknown>): GenerateContentRequest {
  const { prompt, text = prompt, aspect_ratio, resolution, image_size = resolution, ...others } = input;
  const files: InlineData[] = [];
  const config: [string, unknown][] = [];
  for (const [name, value] of Object.entries(others)) {
    const found = [value].flat().flatMap(readDataUri);
    if (found.length > 0) files.push(...found);
    else if (!isEmpty(value)) config.push([name, value]);
  }
  const texts = typeof text === "string" ? [{ text }] : [];
  return {
    contents: [{ role: "user", parts: [...texts, ...files.map((inlineData) => ({ inlineData }))] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      ...Object.fromEntries(config),
      ...buildImageConfig(aspect_ratio, image_size),
    },
  };
}

function readDataUri(value: unknown): InlineData[] {
  const [header, mimeType] = typeof value === "string" ? (DATA_URI.exec(value) ?? []) : [];
  return header && mimeType ? [{ mimeType, data: (value as string).slice(header.length) }] : [];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function buildImageConfig(aspectRatio: unknown, size: unknown): { imageConfig?: Record<string, unknown> } {
  // The API knows 1K, but not 1k.
  const imageSize = typeof size === "string" ? size.replace(/k$/, "K") : size;
  const imageConfig = {
    ...(!isEmpty(aspectRatio) && { aspectRatio }),
    ...(!isEmpty(imageSize) && { imageSize }),
  };
  return Object.keys(imageConfig).length > 0 ? { imageConfig } : {};
}
