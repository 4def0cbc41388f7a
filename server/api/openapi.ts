import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Env } from "../env";
import type { ErrorCode } from "../errors";
import { HUB_NAME } from "../lib/hub-name";
import { memoizePer } from "../lib/memoize-per";
import { SESSION_COOKIE } from "../lib/session-token";
import { describeEvents } from "./describe-events";
import { describeResponses } from "./describe-responses";
import { isOptionalBody } from "./middleware/body";
import { type Auth, type Operation, defineOperation } from "./operation";
import { publicOperations } from "./operations";
import { CreationHeaders } from "./schemas/creation-headers";
import { Problem } from "./schemas/problem";

/** Declares the operation that returns a document, which is serialized once instead of on every request. */
export const defineDocument = (
  declared: Pick<Operation, "name" | "path" | "description" | "envelope">,
  createDocument: (baseUrl: string) => unknown,
): Operation => {
  const render = memoizePer((env: Env) => JSON.stringify(createDocument(env.BASE_URL)));
  return defineOperation({
    ...declared,
    ...sharedByDocuments,
    handler: ({ hub }) => ({ text: render(hub.env) }),
  });
};

const sharedByDocuments = {
  method: "get",
  tag: "Service",
  summary: "Retrieve this document",
  auth: "none",
  cost: null,
  responses: {
    200: {
      description: "The OpenAPI document",
      schema: z.record(z.string(), z.unknown()),
      example: { openapi: "3.1.0", info: { title: HUB_NAME, version: "1" }, paths: {} },
    },
  },
  problems: [] as ErrorCode[],
} as const;

const describeApi = defineDocument(
  {
    name: "describeApi",
    path: "/api/v1/openapi.json",
    description: "Returns the OpenAPI 3.1 description of this API, generated from the schemas that validate requests.",
  },
  (baseUrl) => openApiDocument(baseUrl),
);

/** All public operations but those of the management API. */
export const operations: Operation[] = [...publicOperations, describeApi];

interface DocumentInfo {
  title: string;
  description: string;
  tags: { name: string; description: string }[];
}

type Registry = OpenAPIHono["openAPIRegistry"];

/** Returns an OpenAPI 3.1 document of the hub at this address. */
export function buildDocument(baseUrl: string, info: DocumentInfo, register: (registry: Registry) => void) {
  const { title, description, tags } = info;
  // Only its registry and generator are used; createOperationHandler() serves the requests.
  const generator = new OpenAPIHono();
  register(generator.openAPIRegistry);
  return generator.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title,
      version: "1",
      description,
      contact: { name: "The operator of this hub", url: `${baseUrl.replace(/\/$/, "")}/docs` },
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags,
  });
}

/** Returns the OpenAPI 3.1 document of the specified API. */
export const openApiDocument = (baseUrl: string) =>
  buildDocument(baseUrl, { title: HUB_NAME, description, tags }, registerApi);

function registerApi(registry: Registry): void {
  registry.register("Problem", Problem);
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "An API key, `service_sk_…`",
  });
  registry.registerComponent("securitySchemes", "workerToken", {
    type: "http",
    scheme: "bearer",
    description: "A worker token, `service_wk_…`, created by the operator",
  });
  registry.registerComponent("securitySchemes", "signedLink", {
    type: "apiKey",
    in: "query",
    name: "signature",
    description: "A link signed by the hub; it grants access to one file until `expires`",
  });
  registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "The session of a user signed in to the console; API keys cannot call these operations",
  });
  for (const declared of operations) {
    registry.registerPath(toRouteConfig(declared));
    if (declared.head) registry.registerPath(describeHead(declared, declared.head));
  }
  for (const event of describeEvents()) registry.registerWebhook(event);
}

const description =
  "Amounts are in EUR, times in UTC. Errors are `application/problem+json`; `type` links to an explanation of each `code`. " +
  "A JSON body may have up to 1 MiB (chats: 20 MiB), 64 levels of nesting, 20,000 values (chats: 50,000) and 2 MiB of names of members. " +
  "Every GET also supports HEAD. Every response carries an `X-Request-Id`, and every authenticated one `RateLimit-Policy` and `RateLimit`.";

const tags = [
  { name: "Account", description: "Your account and its balance" },
  { name: "Models", description: "Available models and their prices" },
  { name: "Generations", description: "Requests, their status, cost and outputs" },
  { name: "Chat", description: "Text models, for any OpenAI-compatible client" },
  { name: "Files", description: "Contents of inputs and outputs" },
  { name: "Characters", description: "Subjects trained from images, for use in other generations" },
  { name: "Webhooks", description: "Signed events of your generations, delivered or listed" },
  { name: "Workers", description: "For GPU programs that claim jobs" },
  { name: "Keys", description: "API keys, managed with a console session; a key cannot manage keys" },
  { name: "Service", description: "Status and description of the hub" },
];

const security: Record<Auth, Record<string, string[]>[]> = {
  key: [{ apiKey: [] }],
  mcp: [{ apiKey: [] }],
  worker: [{ workerToken: [] }],
  operator: [{ operatorToken: [] }],
  session: [{ session: [] }],
  "key-or-session": [{ apiKey: [] }, { session: [] }],
  "read-file": [{ apiKey: [] }, { session: [] }, { signedLink: [] }],
  none: [],
};

const RequestedWith = z.object({
  "X-Requested-With": z
    .literal("XMLHttpRequest")
    .openapi("RequestedWith", { description: "Marks a request of the console's own scripts" }),
});

const IfNoneMatch = z.object({
  "If-None-Match": z
    .string()
    .optional()
    .openapi({ description: "ETag of an earlier response, to get 304 while nothing has changed" }),
});

function headersOf({ auth, idempotent, isConditional, requestHeaders }: Operation): z.ZodObject | undefined {
  if (auth === "session") return RequestedWith;
  if (isConditional) return IfNoneMatch;
  return idempotent ? CreationHeaders.extend(requestHeaders?.shape ?? {}) : requestHeaders;
}

export function toRouteConfig(declared: Operation): RouteConfig {
  const { name, method, path, tag, summary, description, params, query } = declared;
  return {
    operationId: name,
    method,
    path,
    tags: [tag],
    summary,
    description,
    security: security[declared.auth],
    request: {
      params,
      query,
      headers: headersOf(declared),
      body: bodyOf(declared),
    },
    responses: describeResponses(declared),
    ...(declared.callbacks && { callbacks: declared.callbacks }),
  };
}

/** Describes the HEAD of a GET: the same responses without content, and without those of a range request. */
function describeHead(declared: Operation, operationId: string): RouteConfig {
  const route = toRouteConfig(declared);
  const responses: RouteConfig["responses"] = {};
  for (const [status, response] of Object.entries(route.responses)) {
    if (status !== "206" && status !== "416") responses[status] = { ...response, content: undefined };
  }
  return { ...route, method: "head", operationId, summary: `${route.summary}: headers only`, responses };
}

function bodyOf({ method, body, publishedBody, form, upload, isUploadOptional = false }: Operation) {
  if (body) {
    const required = !isOptionalBody(method, body);
    return { required, content: { "application/json": { schema: publishedBody ?? body } } };
  }
  if (form) {
    const content = { "multipart/form-data": { schema: form } };
    return {
      required: true,
      content: publishedBody ? { ...content, "application/json": { schema: publishedBody } } : content,
    };
  }
  if (!upload) return undefined;
  const content = { [upload]: { schema: { type: "string" as const, format: "binary" } } };
  return { required: !isUploadOptional, content };
}
