import { toServiceUnavailable } from "../../domain/health";
import { classifyError } from "../../domain/metrics";
import { AppError, errorTable, isAppError } from "../../errors";
import { networkOf } from "../../lib/client-address";
import { HUB_NAME } from "../../lib/hub-name";
import type { RequestContext } from "../request-context";
import { limitFailures } from "./rate-limit";

/**
 * Returns the response for an error: application/problem+json (specification, section 2.11), or on the chat route the
 * error envelope of OpenAI's clients (section 7), except for 401.
 */
export async function problemResponse(context: RequestContext, thrown: unknown): Promise<Response> {
  const error = await toAppError(context, thrown);
  await paceStrangers(context, error);
  const { metrics, tracing } = context.hub;
  metrics.rejections.add({ code: error.code, error_type: classifyError(error) });
  // By OpenTelemetry's HTTP conventions, a 4xx is no failure of the server's span.
  if (error.status >= 500) tracing?.setErrorType(error.code);
  else tracing?.annotate({ "error.type": error.code });
  recordRejection(context, error);
  const isOpenAi = context.envelope === "openai";
  const isEnveloped = isOpenAi || (context.envelope === "chat" && error.code !== "unauthorized");
  const body = !isEnveloped
    ? problemBody(context, error)
    : { error: isOpenAi ? openAiError(error) : chatError(error, true) };
  const type = isEnveloped ? "application/json" : "application/problem+json";
  const headers = { ...context.headers, ...error.headers, "Content-Type": type };
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

/**
 * Delays a 429 or 503 for a caller without a known key: hundreds of connections would otherwise retry at once and keep the
 * process busy.
 */
async function paceStrangers(
  { hub, address, caller, isStranger }: RequestContext,
  { status }: AppError,
): Promise<void> {
  if (caller || !(status === 429 || (status === 503 && isStranger))) return;
  await hub.services.paceFailures(networkOf(address));
}

/** Records the error for the account whose key was sent; requests without a known key belong to nobody. */
function recordRejection({ hub, caller, requestId, method, path }: RequestContext, error: AppError): void {
  if (!caller) return;
  const { status, code, message } = error;
  hub.services.rejectionLog.record({ ...caller, requestId, method, path, status, code, message });
}

const problemBody = ({ hub, path, envelope }: RequestContext, error: AppError) => ({
  type: `${hub.env.BASE_URL}/docs/hub/errors#${error.code}`,
  title: errorTable[error.code].title,
  status: error.status,
  code: error.code,
  detail: error.message,
  instance: path,
  ...error.extras,
  // OpenAI's clients read the message only from here, and LiteLLM chooses its exception by the type.
  ...(envelope === "chat" && { error: chatError(error, false) }),
});

const chatError = ({ message, code, extras }: AppError, hasMetadata: boolean) => ({
  message,
  code,
  type: code === "unauthorized" ? "authentication_error" : "invalid_request_error",
  ...(hasMetadata && { metadata: { provider_name: HUB_NAME, ...extras } }),
});

/** Returns an error as OpenAI's clients read it. */
export const openAiError = (error: AppError) => ({
  ...chatError(error, true),
  type: findOpenAiType(error),
  param: Object.keys(error.extras.errors ?? {})[0] ?? null,
});

function findOpenAiType({ code, status }: AppError): string {
  if (code === "unauthorized") return "authentication_error";
  if (code === "insufficient_credits") return "insufficient_quota";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** Returns whether an error is the hub's own 401: a provider's has another code, and a key of another scope gets 403. */
const isMissingCredential = ({ code, status }: AppError): boolean => code === "unauthorized" && status === 401;

/** Returns what was thrown as an error that the caller may read; logs everything else. */
export async function toAppError(context: RequestContext, thrown: unknown): Promise<AppError> {
  if (isAppError(thrown)) return isMissingCredential(thrown) ? unauthorized(context, thrown) : thrown;
  const unavailable = toServiceUnavailable(thrown);
  const { hub, requestId, method, path } = context;
  hub.log.error({ err: thrown, requestId, method, path }, unavailable?.message ?? "request failed");
  if (unavailable) return unavailable;
  return new AppError("internal_error", `Something failed on our side. Quote request ${requestId} when you report it.`);
}

async function unauthorized(context: RequestContext, error: AppError): Promise<AppError> {
  context.hub.metrics.authFailures.add({ via: "api" });
  const challenge = { "WWW-Authenticate": "Bearer", ...error.headers };
  return (await limitFailures(context)) ?? new AppError("unauthorized", error.message, error.extras, challenge);
}
