import { toServiceUnavailable } from "../../domain/health";
import { classifyError } from "../../domain/metrics";
import { AppError, describeRejection, errorTable, isAppError } from "../../errors";
import { networkOf } from "../../lib/client-address";
import { HUB_NAME } from "../../lib/hub-name";
import type { RequestContext } from "../request-context";
import { limitFailures } from "./rate-limit";

/**
 * Returns the response for an error: application/problem+json (specification, section 2.11), on the chat route the error
 * envelope of OpenAI's clients (section 7), except for 401, and under `/v1` the envelope of the clients of its path.
 */
export async function problemResponse(context: RequestContext, thrown: unknown): Promise<Response> {
  const error = await toAppError(context, thrown);
  await paceStrangers(context, error);
  const { metrics, tracing } = context.hub;
  metrics.rejections.add({ code: error.code, error_type: classifyError(error) });
  // By OpenTelemetry's HTTP conventions, a 4xx is not a failure of the server's span.
  if (error.status >= 500) tracing?.setErrorType(error.code);
  else tracing?.annotate({ "error.type": error.code });
  recordRejection(context, thrown, error);
  const { status = error.status, headers, body } = envelop(context, error);
  return new Response(JSON.stringify(body), { status, headers: { ...context.headers, ...error.headers, ...headers } });
}

interface EnvelopedError {
  /** The error's own by default. */
  status?: number;
  headers: Record<string, string>;
  body: object;
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** Returns an error in the format of its request. */
function envelop(context: RequestContext, error: AppError): EnvelopedError {
  const { envelope, requestId } = context;
  if (envelope === "problem" || (envelope === "chat" && isMissingCredential(error)))
    return { headers: { "Content-Type": "application/problem+json" }, body: problemBody(context, error) };
  if (envelope === "chat") return { headers: JSON_TYPE, body: { error: chatError(error, true) } };
  // Some clients retry a 401 forever unless this header forbids it.
  const headers = error.status === 401 ? { ...JSON_TYPE, "x-should-retry": "false" } : JSON_TYPE;
  if (envelope === "messages") return { headers, body: messagesError(error, requestId) };
  // Clients of Responses repeat a 402, and end after a 429 that names the quota.
  if (envelope === "responses" && error.code === "insufficient_credits")
    return { status: 429, headers: { ...headers, "x-should-retry": "false" }, body: { error: quotaError(error) } };
  return { headers, body: { error: openAiError(error) } };
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
function recordRejection(context: RequestContext, thrown: unknown, error: AppError): void {
  const { hub, caller, requestId, method, path } = context;
  if (!caller) return;
  const { status, code, message, extras } = error;
  const request = { requestId, method, path, status, code, ...describeRejection(thrown, message) };
  hub.services.rejectionLog.record({ ...caller, ...request, budgetId: extras.budget?.id });
}

const problemBody = ({ hub, path, envelope }: RequestContext, error: AppError) => ({
  type: `${hub.env.BASE_URL}/docs/hub/errors#${error.code}`,
  title: errorTable[error.code].title,
  status: error.status,
  code: error.code,
  detail: error.message,
  instance: path,
  ...publicExtras(error),
  // OpenAI's clients read the message only from here, and LiteLLM chooses its exception by the type.
  ...(envelope === "chat" && { error: chatError(error, false) }),
});

/** Returns the members that clients may see, without the codes of other APIs. */
function publicExtras({ extras }: AppError): Omit<AppError["extras"], "openai_code" | "anthropic_code"> {
  const rest = { ...extras };
  delete rest.openai_code;
  delete rest.anthropic_code;
  return rest;
}

const chatError = (error: AppError, hasMetadata: boolean) => ({
  message: error.message,
  code: error.code,
  type: isMissingCredential(error) ? "authentication_error" : "invalid_request_error",
  ...(hasMetadata && { metadata: { provider_name: HUB_NAME, ...publicExtras(error) } }),
});

/** Returns an error as OpenAI's clients read it. */
export const openAiError = (error: AppError) => ({
  ...chatError(error, true),
  type: findOpenAiType(error),
  code: error.extras.openai_code ?? error.code,
  param: Object.keys(error.extras.errors ?? {})[0] ?? null,
});

const quotaError = (error: AppError) => ({ ...openAiError(error), code: "insufficient_quota" });

/** Returns an error as Anthropic's clients read it. */
export const messagesError = (error: AppError, requestId: string) => ({
  type: "error",
  error: {
    type: findMessagesType(error),
    message: error.message,
    details: error.extras.anthropic_code && { error_code: error.extras.anthropic_code },
    budget: error.extras.budget,
  },
  request_id: requestId,
});

const messagesTypes = new Map<number, string>([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [408, "timeout_error"],
  [409, "conflict_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [503, "overloaded_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

const findMessagesType = ({ status }: AppError): string =>
  messagesTypes.get(status) ?? (status >= 500 ? "api_error" : "invalid_request_error");

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
