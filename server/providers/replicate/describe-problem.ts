import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import type { ApiResponse } from "../http/call-api";
import { describeRejection, parseRetryAfter, refuseContent } from "../http/describe-rejection";
import { redactMessage } from "../http/redact";
import type { FailedJob } from "../job";

const CONTENT_REFUSED =
  /\bNSFW\b|\bE005\b|\bflagged\b|content (policy|moderation)|safety (checker|filter|policy|system)/i;
const TRANSIENT =
  /\bE1000\b|unexpected error handling|\binterrupted|code: PA\b|\btemporar|high demand|overloaded|try again later/i;

const Problem = z
  .object({
    title: z.string().catch(""),
    detail: z.string().catch(""),
    retry_after: z.number().optional().catch(undefined),
  })
  .catch({ title: "", detail: "" });

/** Returns the failure of a submit whose response has an unsuccessful status. */
export function describeProblem(response: ApiResponse, provider: ProviderSettings): FailedJob {
  const { title, detail, retry_after } = Problem.parse(response.body);
  // A version that does not exist is not the customer's fault, although the status is that of a wrong input.
  const status = /^invalid version/i.test(title) ? 404 : response.status;
  const failure = describeRejection({ ...response, status }, provider, detail || title);
  if (failure.cause === "job" && CONTENT_REFUSED.test(detail)) return refuseContent("no", response.status);
  const seconds = retry_after?.toString() ?? /resets in ~?(\d+)s/.exec(detail)?.[1];
  const retryAfter =
    failure.retryAfter ?? (seconds === undefined ? undefined : parseRetryAfter({ "retry-after": seconds }));
  return { ...failure, upstreamStatus: response.status, retryAfter };
}

/** Returns the failure of a prediction that has ended with an error. */
export function describePredictionError(error: unknown, provider: ProviderSettings): FailedJob {
  const text = typeof error === "string" ? error : "";
  if (CONTENT_REFUSED.test(text)) return refuseContent("yes");
  const isTransient = TRANSIENT.test(text);
  const reason = redactMessage(text, provider).replace(/\.$/, "");
  return {
    state: "failed",
    started: "yes",
    cause: isTransient ? "outage" : "job",
    error: {
      code: "provider_error",
      message: `The provider's model failed${reason && `: ${reason}`}.`,
      retryable: isTransient,
    },
  };
}
