import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { ApiResponse } from "../http/call-api";
import { describeRejection, refuseContent } from "../http/describe-rejection";
import type { FailedJob } from "../job";

/** A model's errors, or one of fal's infrastructure. The member `input` repeats prompts and links, so it is not read. */
const ErrorBody = z.object({
  detail: z
    .union([z.string(), z.array(z.object({ type: z.string(), msg: z.string(), loc: z.array(z.unknown()).catch([]) }))])
    .optional()
    .catch(undefined),
  error_type: z.string().optional().catch(undefined),
});

interface FalError {
  /** Machine-readable; empty for a response that is not one of fal's errors. */
  types: string[];
  /** For people. */
  reason?: string;
}

/** Returns what a response says about an error. */
export function readError({ headers, body }: Pick<ApiResponse, "headers" | "body">): FalError {
  const { detail, error_type = headers["x-fal-error-type"] } = ErrorBody.catch({}).parse(body);
  if (typeof detail === "string" || detail === undefined)
    return { types: error_type ? [error_type] : [], reason: detail };
  const [first] = detail;
  const field = first?.loc.filter((part) => part !== "body").join(".");
  return { types: detail.map(({ type }) => type), reason: field ? `${field}: ${first!.msg}` : first?.msg };
}

export const isContentRefusal = ({ types }: FalError): boolean => types.includes("content_policy_violation");

/** Returns the failure of a job that fal had accepted; without a status if only the job's state reports it. */
export function describeFailure(
  { status, headers }: Pick<ApiResponse, "headers"> & { status?: number },
  error: FalError,
  provider: ProviderSettings,
): FailedJob {
  if (isContentRefusal(error)) return refuseContent("yes", status);
  const retryable = headers["x-fal-retryable"] ?? headers["x-fal-needs-retry"];
  if (status !== undefined && status < 500) {
    const rejection = describeRejection({ status, headers }, provider, error.reason);
    const isRetryable = retryable === "true" || retryable === "1";
    return { ...rejection, started: "yes", cause: "job", error: { ...rejection.error, retryable: isRetryable } };
  }
  const type = error.types.find((name) => /^[a-z_]{1,50}$/.test(name));
  return {
    state: "failed",
    started: "yes",
    cause: "outage",
    upstreamStatus: status,
    error: {
      code: "provider_error",
      message: `The provider failed${type ? ` (${type})` : ""}.`,
      retryable: retryable !== "false" && retryable !== "0",
    },
    // fal never charges for its own failures.
    costUsd: status === undefined ? undefined : 0n,
  };
}
