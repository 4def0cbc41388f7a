import type { AppError } from "../../errors";
import { isPromptTooLong } from "../chat";
import type { Json } from "./json";

/** Returns an error in the form of a failed response, whose code tells clients whether to retry. */
export function describeError(error: AppError): Json {
  return { code: findCode(error), message: error.message };
}

function findCode(error: AppError): string {
  const { code, status } = error;
  if (code === "insufficient_credits") return "insufficient_quota";
  if (status === 429) return "rate_limit_exceeded";
  if (status >= 500) return "server_error";
  return isPromptTooLong(error) ? "context_length_exceeded" : "invalid_prompt";
}
