import type { AppError } from "../../errors";
import type { Json } from "./json";

const TOO_LONG = /context[ _](?:length|window)|maximum context|prompt is too long/i;

/** Returns an error as a response that has failed names it: clients decide by its code whether to ask again. */
export function describeError(error: AppError): Json {
  const { code, status, message } = error;
  return { code: findCode(code, status, message), message };
}

function findCode(code: string, status: number, message: string): string {
  if (code === "insufficient_credits") return "insufficient_quota";
  if (status === 429) return "rate_limit_exceeded";
  if (status >= 500) return "server_error";
  return TOO_LONG.test(message) ? "context_length_exceeded" : "invalid_prompt";
}
