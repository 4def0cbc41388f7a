import type { RouteConfig } from "@hono/zod-openapi";
import { type ErrorCode, errorTable } from "../errors";
import { type DeclaredResponse, type Operation, listErrorCodes } from "./operation";
import { ChatError, ChatUnauthorized } from "./schemas/chat";
import { Problem } from "./schemas/problem";

type Responses = RouteConfig["responses"];
type Headers = Record<string, { description: string; schema: { type: "string" } }>;

/**
 * Describes what an operation answers, its problems grouped by status. The codes of a status stand in its description:
 * a schema for each set of codes would be a class of its own in every generated client.
 */
export function describeResponses(operation: Operation): Responses {
  const limited = operation.cost ? rateLimit : {};
  const responses: Responses = {};
  for (const [status, declared] of Object.entries(operation.responses)) {
    const headers = { ...requestId, ...limited, ...describeHeaders(declared.headers ?? {}) };
    const links = declared.links && { links: describeLinks(declared.links) };
    responses[status] = { description: declared.description, headers, content: contentOf(declared), ...links };
  }
  for (const [status, codes] of byStatus(listErrorCodes(operation))) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}`).join("; "),
      headers: { ...requestId, ...(status === "429" || status === "503" ? retryAfter : {}) },
      content: errorContent(operation, codes),
    };
  }
  if (operation.problems.includes("provider_error")) {
    const description = "The provider's own refusal, with the status that it gave";
    responses["4XX"] = { description, headers: requestId, content: errorContent(operation, ["provider_error"]) };
  }
  if (operation.auth === "none") {
    const description = "The path does not take the request as it was sent, such as 405 `method_not_allowed`";
    responses["4XX"] = { description, headers: requestId, content: errorContent(operation, ["method_not_allowed"]) };
  }
  return responses;
}

function errorContent({ envelope }: Operation, codes: ErrorCode[]) {
  if (envelope !== "chat") return { "application/problem+json": { schema: Problem } };
  const enveloped = { "application/json": { schema: ChatError } };
  // A 401 of the hub's own is a problem; that of a provider is enveloped.
  return codes.includes("unauthorized")
    ? { "application/problem+json": { schema: ChatUnauthorized }, ...enveloped }
    : enveloped;
}

function contentOf({ schema, content }: DeclaredResponse) {
  if (schema) return { "application/json": { schema } };
  return content === undefined ? undefined : { [content]: { schema: { type: "string" as const, format: "binary" } } };
}

function byStatus(codes: ErrorCode[]): Map<string, ErrorCode[]> {
  const grouped = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(errorTable[code].status);
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

const requestId = describeHeaders({ "X-Request-Id": "Names this request in our logs" });
const retryAfter = describeHeaders({ "Retry-After": "Whole seconds after which to try again" });
const rateLimit = describeHeaders({
  "RateLimit-Policy": "The bucket in force: its name, requests (q) and seconds (w)",
  RateLimit: "Requests left (r), and when it is empty the seconds (t) until there is one more",
});
