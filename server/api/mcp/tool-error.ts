import type { CallToolResult } from "@modelcontextprotocol/server";
import { classifyError } from "../../domain/metrics";
import { type AppError, describeRejection, type ErrorCode } from "../../errors";
import { toAppError } from "../middleware/problem";
import type { Exchange } from "./tool";

/** The key of the machine-readable error in a result's `_meta`. */
export const ERROR_META = "generation-hub/error";

const nextSteps: Partial<Record<ErrorCode, string>> = {
  invalid_input: "Correct the named argument; describe_model shows the parameters of a model.",
  insufficient_credits:
    "Choose a cheaper input or model (see estimate), or ask the owner of the key for credit or a higher limit.",
  model_not_found: "Call list_models for the ids that this key may use.",
  generation_not_found: "Check the id: it is the id that generate returned.",
  generation_not_cancelable: "Call get_generation for its status and outputs.",
  idempotency_conflict: "Send the same model and input as before, or a new idempotency_key for a new generation.",
  no_route_available: "Change the named input, or choose another model.",
  payload_too_large: "Send less, or upload the file by POST /api/v1/hub/files.",
  file_expired: "Upload the file again with upload_file.",
  service_unavailable: "Repeat the call with the same idempotency_key in a few seconds.",
  internal_error: "Repeat the call with the same idempotency_key; report the request id if it fails again.",
};

/** Returns what was thrown as the result of a tool: the code, what happened, and what to do next. */
export async function toErrorResult(exchange: Exchange, tool: string, thrown: unknown): Promise<CallToolResult> {
  const { context } = exchange;
  const error = await toAppError(context, thrown);
  const { code, status, message, extras, headers } = error;
  const { hub, caller, requestId, method, path } = context;
  hub.metrics.rejections.add({ code, error_type: classifyError(error) });
  if (caller) {
    const rejection = {
      requestId,
      method,
      path,
      status,
      code,
      ...describeRejection(thrown, `${tool}: ${message}`),
      budgetId: extras.budget?.id,
    };
    hub.services.rejectionLog.record({ ...caller, ...rejection });
  }
  return {
    isError: true,
    content: [
      { type: "text", text: [`${code}: ${message}`, listPlaces(error), nextStep(error)].filter(Boolean).join("\n") },
    ],
    _meta: { [ERROR_META]: { code, status, request_id: requestId, ...extras, ...retryAfter(headers) } },
  };
}

function nextStep({ code, headers, nextStep: own }: AppError & { nextStep?: string }): string {
  if (own !== undefined) return `Next: ${own}`;
  if (headers["Retry-After"]) return `Next: repeat the call in ${headers["Retry-After"]} seconds.`;
  return nextSteps[code] ? `Next: ${nextSteps[code]}` : "";
}

/** Returns the other locations of an error, whose message names the first. */
const listPlaces = ({ extras }: AppError): string =>
  Object.entries(extras.errors ?? {})
    .slice(1, 10)
    .map(([place, messages]) => `${place}: ${messages[0]}`)
    .join("\n");

const retryAfter = (headers: Record<string, string>) =>
  headers["Retry-After"] ? { retry_after: Number(headers["Retry-After"]) } : {};

/** Returns the error with its own next step instead of its code's. */
export const withNextStep = (error: AppError, step: string): AppError => Object.assign(error, { nextStep: step });
