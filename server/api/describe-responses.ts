import type { RouteConfig } from "@hono/zod-openapi";
import { type ErrorCode, errorTable } from "../errors";
import { type DeclaredResponse, type Operation, listErrorCodes } from "./operation";
import { ChatError, ChatUnauthorized } from "./schemas/chat";
import { MessagesError } from "./schemas/messages";
import { OpenAiError } from "./schemas/openai";
import { Problem } from "./schemas/problem";

type Responses = RouteConfig["responses"];
type Headers = Record<string, { description: string; schema: { type: "string" } }>;

/**
 * Describes the responses of an operation, with its problems grouped by status. The codes of a status are listed in its
 * description: a schema for each set of codes would become a separate class in every generated client.
 */
export function describeResponses(operation: Operation): Responses {
  const requestId = describeRequestId(operation);
  const rateLimitHeaders = operation.cost ? rateLimit : {};
  const etagHeaders = operation.isConditional ? etag : {};
  const responses: Responses = {};
  for (const [status, declared] of Object.entries(operation.responses)) {
    const headers = { ...requestId, ...rateLimitHeaders, ...etagHeaders, ...describeHeaders(declared.headers ?? {}) };
    const links = declared.links && { links: describeLinks(declared.links) };
    responses[status] = { description: declared.description, headers, content: contentOf(declared), ...links };
  }
  if (operation.isConditional) {
    const description = "Nothing has changed since the response with the ETag in `If-None-Match`";
    responses["304"] = { description, headers: { ...requestId, ...rateLimitHeaders, ...etag } };
  }
  for (const [status, codes] of byStatus(operation)) {
    responses[status] = {
      description: codes.map((code) => `\`${nameOf(operation, code)}\`: ${errorTable[code].title}`).join("; "),
      headers: { ...requestId, ...(status === "429" || status === "503" ? retryAfter : {}) },
      content: errorContent(operation, codes),
    };
  }
  return { ...responses, ...describeOtherErrors(operation) };
}

/** Describes the errors whose status does not follow from their code. */
function describeOtherErrors(operation: Operation): Responses {
  const requestId = describeRequestId(operation);
  const responses: Responses = {};
  const forbidden =
    operation.access && operation.auth !== "key"
      ? "The role of the person who is signed in does not allow this"
      : operation.role === "operator"
        ? (operation.forbids ?? "The token is an auditor's, which can only read")
        : operation.forbids;
  if (forbidden) {
    const description = `\`unauthorized\`: ${forbidden}`;
    responses["403"] = { description, headers: requestId, content: errorContent(operation, ["unauthorized"]) };
  }
  if (operation.requestHeaders && "If-Match" in operation.requestHeaders.shape) {
    const description = "`invalid_state`: It was changed since the ETag in `If-Match`";
    responses["412"] = { description, headers: requestId, content: errorContent(operation, ["invalid_state"]) };
  }
  if (operation.problems.includes("provider_error")) {
    const description = "The provider's own error, with the status that it returned";
    responses["4XX"] = { description, headers: requestId, content: errorContent(operation, ["provider_error"]) };
  }
  if (operation.envelope === "openai" && operation.problems.includes("provider_error")) {
    const description = "502 for a generation that failed, 504 for one that takes longer: `Location` names it";
    const headers = { ...requestId, ...describeHeaders({ "X-Generation-Id": "Id of the generation" }) };
    responses["5XX"] = { description, headers, content: errorContent(operation, ["provider_error"]) };
  }
  if (operation.auth === "none") {
    const description = "The request is not valid for this path, such as 405 `method_not_allowed`";
    responses["4XX"] = { description, headers: requestId, content: errorContent(operation, ["method_not_allowed"]) };
  }
  return responses;
}

function errorContent({ envelope }: Operation, codes: ErrorCode[]) {
  if (envelope === "openai" || envelope === "responses") return { "application/json": { schema: OpenAiError } };
  if (envelope === "messages") return { "application/json": { schema: MessagesError } };
  if (envelope !== "chat") return { "application/problem+json": { schema: Problem } };
  const enveloped = { "application/json": { schema: ChatError } };
  // The hub's own 401 is a problem; a provider's 401 uses the chat envelope.
  return codes.includes("unauthorized")
    ? { "application/problem+json": { schema: ChatUnauthorized }, ...enveloped }
    : enveloped;
}

function contentOf({ schema, example, content }: DeclaredResponse) {
  if (schema) return { "application/json": { schema, ...(example !== undefined && { example }) } };
  if (content === undefined) return undefined;
  if (content.startsWith("text/")) return { [content]: { schema: { type: "string" as const } } };
  const binary = { schema: { type: "string" as const, format: "binary" } };
  // Generators know no type for `*/*` or `audio/*` and would leave out the response.
  return content.includes("*") ? { [content]: binary, "application/octet-stream": binary } : { [content]: binary };
}

/** Returns whether an error has the status and the code of OpenAI's Responses, whose clients repeat a 402. */
const isQuotaError = ({ envelope }: Operation, code: ErrorCode) =>
  envelope === "responses" && code === "insufficient_credits";

const nameOf = (operation: Operation, code: ErrorCode) => (isQuotaError(operation, code) ? "insufficient_quota" : code);

function byStatus(operation: Operation): Map<string, ErrorCode[]> {
  const grouped = new Map<string, ErrorCode[]>();
  for (const code of listErrorCodes(operation)) {
    const status = String(isQuotaError(operation, code) ? 429 : errorTable[code].status);
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return grouped;
}

const describeLinks = (links: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(links).map(([operationId, pointer]) => [
      operationId,
      { operationId, parameters: { id: `$response.body#${pointer}` } },
    ]),
  );

const describeHeaders = (headers: Record<string, string>): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );

const describeRequestId = ({ envelope }: Operation): Headers =>
  describeHeaders({
    "X-Request-Id": "Id of this request in the hub's logs",
    ...(envelope === "messages" && { "request-id": "The same, where Anthropic's SDKs read it" }),
  });
const etag = describeHeaders({ ETag: "Changes whenever the response does; for `If-None-Match`" });
const retryAfter = describeHeaders({ "Retry-After": "Seconds to wait before you retry" });
const rateLimit = describeHeaders({
  "RateLimit-Policy": "The rate limit that applies: its name, requests (q) and window in seconds (w)",
  RateLimit: "Remaining requests (r); when none remain, the seconds (t) until the next one",
});
