import { toServiceUnavailable } from "../../domain/health/to-service-unavailable";
import { AppError, errorTable, isAppError } from "../../errors";
import { HUB_NAME } from "../../lib/hub-name";
import type { RequestContext } from "../request-context";
import { limitFailures } from "./rate-limit";

/**
 * Answers every error of the API: as application/problem+json (specification, section 2.11), on the chat route in the
 * envelope of its clients (section 7), except for 401.
 */
export function problemResponse(call: RequestContext, thrown: unknown): Response {
  const error = refusal(call, thrown);
  const enveloped = call.envelope === "chat" && error.code !== "unauthorized";
  const body = enveloped ? { error: chatError(error, true) } : problemBody(call, error);
  const type = enveloped ? "application/json" : "application/problem+json";
  const headers = { ...call.headers, ...error.headers, "Content-Type": type };
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

const problemBody = ({ hub, path, envelope }: RequestContext, error: AppError) => ({
  type: `${hub.env.BASE_URL}/docs/hub/errors#${error.code}`,
  title: errorTable[error.code].title,
  status: error.status,
  code: error.code,
  detail: error.message,
  instance: path,
  ...error.extras,
  // OpenAI's clients show the reason only from here, and LiteLLM tells its exceptions apart by the type.
  ...(envelope === "chat" && { error: chatError(error, false) }),
});

const chatError = ({ message, code, extras }: AppError, whole: boolean) => ({
  message,
  code,
  type: code === "unauthorized" ? "authentication_error" : "invalid_request_error",
  ...(whole && { metadata: { provider_name: HUB_NAME, ...extras } }),
});

function refusal(call: RequestContext, thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown.code === "unauthorized" ? unauthorized(call, thrown) : thrown;
  const unavailable = toServiceUnavailable(thrown);
  const { hub, requestId, method, path } = call;
  hub.log.error({ err: thrown, requestId, method, path }, unavailable?.message ?? "request failed");
  if (unavailable) return unavailable;
  return new AppError("internal_error", `Something failed on our side. Quote request ${requestId} when you report it.`);
}

const unauthorized = (call: RequestContext, error: AppError): AppError =>
  limitFailures(call) ??
  new AppError("unauthorized", error.message, error.extras, { "WWW-Authenticate": "Bearer", ...error.headers });
