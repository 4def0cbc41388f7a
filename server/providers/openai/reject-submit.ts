import type { ProviderSettings } from "../../catalogue/model";
import type { ApiResponse } from "../http/call-api";
import { describeRejection, refuseContent } from "../http/describe-rejection";
import type { FailedJob } from "../job";
import { readError } from "./read-error";

/** Codes of OpenAI's and Azure's safety rules. */
const CONTENT_CODES = /^(moderation_blocked|content_policy_violation|content_?filter)$/i;
/** Codes for credit that is used up, whatever the status: waiting does not help. */
const CREDIT_CODES = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active)$/;

/** Returns the failure of a submit whose response has another status than 200. */
export function rejectSubmit(response: ApiResponse, provider: ProviderSettings): FailedJob {
  const { status, headers, body } = response;
  const { message, code } = readError(body);
  const isClientError = status >= 400 && status < 500;
  if (isClientError && CONTENT_CODES.test(code)) return refuseContent("no", status);
  if (isClientError && CREDIT_CODES.test(code))
    return { ...describeRejection({ status: 402, headers: {} }, provider), upstreamStatus: status };
  return describeRejection({ status, headers }, provider, message);
}
