import { isDatabaseAway } from "../../domain/health/is-database-away";
import { AppError, errorTable, isAppError } from "../../errors";
import type { Call } from "../call";
import { limitFailures } from "./rate-limit";

const CHAT = "/api/v1/hub/chat/completions";

/** Answers every error of the API as application/problem+json (specification, section 2.11). */
export function problem(call: Call, thrown: unknown): Response {
  const error = refusal(call, thrown);
  const { status, title } = errorTable[error.code];
  const body = {
    type: `${call.hub.env.BASE_URL}/docs/hub/errors#${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    instance: call.path,
    ...error.extras,
    ...(error.code === "unauthorized" && call.path === CHAT && { error: chatError(error) }),
  };
  const headers = { ...call.headers, ...error.headers, "Content-Type": "application/problem+json" };
  return new Response(JSON.stringify(body), { status, headers });
}

function refusal(call: Call, thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown.code === "unauthorized" ? unauthorized(call, thrown) : thrown;
  const away = isDatabaseAway(thrown);
  const { hub, requestId, method, path } = call;
  hub.log.error({ err: thrown, requestId, method, path }, away ? "database away" : "request failed");
  if (away)
    return new AppError("service_unavailable", "The database is away. Try again soon.", {}, { "Retry-After": "2" });
  return new AppError("internal_error", `Something failed on our side. Quote request ${requestId} when you report it.`);
}

const unauthorized = (call: Call, error: AppError): AppError =>
  limitFailures(call) ??
  new AppError("unauthorized", error.message, error.extras, { "WWW-Authenticate": "Bearer", ...error.headers });

// OpenAI's clients show the reason only from here.
const chatError = ({ message, code }: AppError) => ({ message, code, type: "invalid_request_error" });
