import { type Double, type DoubleRequest, type DoubleResponse, openDouble } from "../double";
import { PNG } from "../outputs";
import { geminiSchemas } from "./schemas";

/** What the next response says. */
export interface GeminiScript {
  /** The parts of its candidate, and why it stopped; by default a text and a picture. */
  parts?: object[];
  finishReason?: string;
  /** Why the prompt was blocked: there is no candidate then. */
  blockReason?: string;
  /** By default ten. */
  promptTokens?: number;
  /** The whole body, for one that is not valid. */
  body?: unknown;
}

export interface GeminiDouble extends Double {
  /** The base URL of the API. */
  baseUrl: string;
  /** Sets what the next responses say, one each; all others have a picture. */
  scriptNextResponses: (...scripts: GeminiScript[]) => void;
}

/** A part with a picture. */
export const picturePart = { inlineData: { mimeType: "image/png", data: PNG.toString("base64") } };

const KEY = "test-key-0123456789";
const MODEL = "gemini-nano-banana-2.1";

/** Opens a double of Google's Gemini API. */
export async function openGeminiDouble(port = 0): Promise<GeminiDouble> {
  const scripts: GeminiScript[] = [];
  const respond = (request: DoubleRequest): DoubleResponse => {
    // A customer's picture, which in reality is on another server.
    if (request.url.pathname === "/files/input.png") return { status: 200, body: PNG };
    const rejection = rejectRequest(request);
    if (rejection) return rejection;
    if (isSubmit(request)) return describeContent(scripts.shift() ?? {});
    const model = { name: `models/${MODEL}`, version: "2.1", supportedGenerationMethods: ["generateContent"] };
    return { status: 200, body: geminiSchemas.assertValid("model", model) };
  };
  const isPaid = (request: DoubleRequest) => isSubmit(request) && !rejectRequest(request);
  const double = await openDouble({ isSubmit: isPaid, respond, describeError }, port);
  return {
    ...double,
    baseUrl: `${double.url}/v1beta`,
    scriptNextResponses: (...next) => void scripts.push(...next),
  };
}

function describeContent({
  parts,
  finishReason = "STOP",
  blockReason,
  promptTokens = 10,
  body,
}: GeminiScript): DoubleResponse {
  if (body !== undefined) return { status: 200, headers: { "content-type": "application/json" }, body };
  const candidate = {
    content: { role: "model", parts: parts ?? [{ text: "Here it is." }, picturePart] },
    finishReason,
    index: 0,
  };
  const usageMetadata = { promptTokenCount: promptTokens, totalTokenCount: promptTokens + (blockReason ? 0 : 1120) };
  const response = blockReason ? { promptFeedback: { blockReason } } : { candidates: [candidate] };
  const said = { ...response, usageMetadata, modelVersion: MODEL, responseId: "r-1" };
  return { status: 200, body: geminiSchemas.assertValid("response", said) };
}

const isSubmit = ({ method, url }: DoubleRequest) => method === "POST" && url.pathname.endsWith(":generateContent");

/** Returns what is wrong with a request, as Google would say it. */
function rejectRequest(request: DoubleRequest): DoubleResponse | null {
  const { headers, url, json } = request;
  const key = headers["x-goog-api-key"];
  if (key === undefined) return reject(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers.");
  if (key !== KEY)
    return reject(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "API_KEY_INVALID",
      domain: "googleapis.com",
    });
  const model = /^\/v1beta\/models\/([^:/]+)(:generateContent)?$/.exec(url.pathname)?.[1];
  if (model !== MODEL) return reject(404, "NOT_FOUND", `models/${model} is not found for API version v1beta.`);
  const [issue] = isSubmit(request) ? geminiSchemas.findIssues("request", json) : [];
  if (!issue) return null;
  const path = issue.path.split("/").slice(1).join(".");
  return reject(400, "INVALID_ARGUMENT", `Invalid value at '${path}': ${issue.message}.`);
}

const reject = (code: number, status: string, message: string, ...details: object[]): DoubleResponse => ({
  status: code,
  body: geminiSchemas.assertValid("error", { error: { code, message, status, details } }),
});

const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};
const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.250000001s" };

const describeError = (code: number) =>
  geminiSchemas.assertValid("error", {
    error: {
      code,
      message: `The double fails with ${code}.`,
      status: statuses[code] ?? "UNKNOWN",
      ...(code === 429 && { details: [retryInfo] }),
    },
  });
