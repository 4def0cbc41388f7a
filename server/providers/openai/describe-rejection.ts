import type { Dispatcher } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import type { ChatState } from "../provider";
import { readResponseBody } from "./read-response-body";
import { redactMessage } from "./redact-message";

/** Of a refusal at most one message is told. */
const BOUNDS = { maxBytes: 64 * 1024, maxDepth: 64, maxValues: 10_000 };

const MAX_RETRY_SECONDS = 3_600;
/** Refusals that are about the customer's request, so that the provider's own words help. */
const TELLING = new Set([400, 404, 409, 413, 415, 422]);

/** Returns what an answer with another status than 200 means. 429 and 503 come before any work is done. */
export async function describeRejection(
  answer: Dispatcher.ResponseData,
  provider: ProviderSettings,
): Promise<ChatState> {
  const { statusCode: status } = answer;
  // The status was told, whatever becomes of the words.
  const bytes = await readResponseBody(answer, BOUNDS, () => true).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(bytes);
  const retryable = status === 408 || status === 409 || status === 429 || status >= 500;
  const message =
    status >= 400 && status < 500
      ? `The provider refused the hub's request with status ${status}${words(status, text, provider)}.`
      : `The provider failed with status ${status}.`;
  return {
    state: "failed",
    error: { code: "provider_error", message, retryable },
    started: status !== 429 && status !== 503,
    upstreamStatus: status,
    retryAfter: readRetryAfter(answer.headers["retry-after"]),
  };
}

function words(status: number, text: string, provider: ProviderSettings): string {
  if (!TELLING.has(status)) return "";
  const said = redactMessage(messageOf(text), provider);
  return said && `: ${said.replace(/\.$/, "")}`;
}

function messageOf(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown };
    const said = typeof error === "object" ? error?.message : (error ?? message);
    return typeof said === "string" ? said : "";
  } catch {
    return "";
  }
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string" || !/^\d{1,6}(\.\d{1,3})?$/.test(header)) return undefined;
  return Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(Number(header))));
}
