import { type RouteConfig, z } from "@hono/zod-openapi";
import { type ErrorCode, errorTable } from "../errors";
import { type DeclaredResponse, type Operation, problemsOf } from "./operation";
import { ChatError, ChatUnauthorized } from "./schemas/chat";
import { Problem } from "./schemas/problem";

type Responses = RouteConfig["responses"];
type Headers = Record<string, { description: string; schema: { type: "string" } }>;

/** What an operation answers, its problems grouped by status, each with the codes it may carry. */
export function describeResponses(operation: Operation): Responses {
  const limited = operation.cost ? rateLimit : {};
  const responses: Responses = {};
  for (const [status, declared] of Object.entries(operation.responses)) {
    const headers = { ...requestId, ...limited, ...describeHeaders(declared.headers ?? {}) };
    responses[status] = { description: declared.description, headers, content: contentOf(declared) };
  }
  for (const [status, codes] of byStatus(problemsOf(operation))) {
    responses[status] = {
      description: codes.map((code) => errorTable[code].title).join("; "),
      headers: { ...requestId, ...(status === "429" || status === "503" ? retryAfter : {}) },
      content: errorContent(operation, codes),
    };
  }
  if (operation.problems.includes("provider_error")) {
    const description = "The provider's own refusal, with the status that it gave";
    responses["4XX"] = { description, headers: requestId, content: errorContent(operation, ["provider_error"]) };
  }
  return responses;
}

function errorContent({ envelope }: Operation, codes: ErrorCode[]) {
  if (envelope !== "chat") return { "application/problem+json": { schema: problemWith(codes) } };
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

const problemWith = (codes: ErrorCode[]) => z.intersection(Problem, z.object({ code: z.enum(codes) }));

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
