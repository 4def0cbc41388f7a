import { z } from "zod";

const Text = z.string().catch("");
/** OpenRouter's codes are HTTP statuses, as numbers. */
const Code = z.union([z.string(), z.number().transform(String)]).catch("");
const Details = z.object({ message: Text, code: Code, type: Text }).catch({ message: "", code: "", type: "" });

/** OpenAI's format of errors, and those of compatible servers: a text, the error itself, or `detail`. */
const ErrorBody = z
  .object({ error: z.union([z.string(), Details]).optional(), message: Text, code: Code, type: Text, detail: Text })
  .catch({ message: "", code: "", type: "", detail: "" });

/** What an error says; empty texts for what it does not say. The message is upstream's own text. */
export interface ReportedError {
  message: string;
  code: string;
  type: string;
}

/** Returns what an error response says. */
export function readError(body: unknown): ReportedError {
  const { error, message, code, type, detail } = ErrorBody.parse(body);
  const inner = typeof error === "string" ? { message: error, code: "", type: "" } : error;
  return { message: inner?.message || message || detail, code: inner?.code || code, type: inner?.type || type };
}

/** The statuses with which these codes of OpenAI and types of Anthropic come outside of a stream. */
const STATUSES = new Map([
  ["context_length_exceeded", 400],
  ["invalid_prompt", 400],
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["invalid_api_key", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["model_not_found", 404],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["insufficient_quota", 429],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["api_error", 500],
  ["server_error", 500],
  ["server_is_overloaded", 503],
  ["slow_down", 503],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** Returns the status that an error stands for, which came with status 200; undefined if it does not say. */
export function findStatus({ code, type }: ReportedError): number | undefined {
  if (/^[45]\d\d$/.test(code)) return Number(code);
  return STATUSES.get(code) ?? STATUSES.get(type);
}
