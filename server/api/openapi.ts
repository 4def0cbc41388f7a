import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Hub } from "../context";
import { HUB_NAME } from "../lib/hub-name";
import { memoizePer } from "../lib/memoize-per";
import { SESSION_COOKIE } from "../lib/session-token";
import { describeEvents } from "./describe-events";
import { describeResponses } from "./describe-responses";
import { isOptionalBody } from "./middleware/optional-body";
import { type Auth, type Operation, defineOperation } from "./operation";
import { publicOperations } from "./operations";
import { Problem } from "./schemas/problem";

export const describeApi = defineOperation({
  name: "describeApi",
  method: "get",
  path: "/api/v1/openapi.json",
  tag: "Service",
  summary: "This description",
  description: "OpenAPI 3.1, made from the schemas that validate.",
  auth: "none",
  cost: null,
  responses: { 200: { description: "The document", schema: z.record(z.string(), z.unknown()) } },
  problems: [],
  handler: ({ hub }) => ({ text: documentOf(hub) }),
});

/** Every public operation. */
export const operations: Operation[] = [...publicOperations, describeApi];

// As text: it is written once, and not for every request.
const documentOf = memoizePer((hub: Hub) => JSON.stringify(openApiDocument(hub.env.BASE_URL)));

/** The OpenAPI 3.1 document of the hub at this address. */
export function openApiDocument(baseUrl: string) {
  // Only its book of routes and schemas is used; `serve` is what answers.
  const book = new OpenAPIHono();
  const registry = book.openAPIRegistry;
  registry.register("Problem", Problem);
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "An API key, `service_sk_…`",
  });
  registry.registerComponent("securitySchemes", "workerToken", {
    type: "http",
    scheme: "bearer",
    description: "A worker's token, `service_wk_…`, which the operator makes",
  });
  registry.registerComponent("securitySchemes", "signedLink", {
    type: "apiKey",
    in: "query",
    name: "signature",
    description: "A link that the hub has signed; it opens one file until `expires`",
  });
  registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "The session of somebody signed in to the console; the key itself never opens these operations",
  });
  for (const declared of operations) {
    registry.registerPath(describe(declared));
    if (declared.head) registry.registerPath(describeHead(declared, declared.head));
  }
  for (const event of describeEvents()) registry.registerWebhook(event);
  return book.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: HUB_NAME,
      version: "1",
      description,
      contact: { name: "The operator of this hub", url: `${baseUrl.replace(/\/$/, "")}/docs` },
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags,
  });
}

const description =
  "Money is in EUR, time in UTC. Errors are `application/problem+json`; each `code` is explained where `type` points. " +
  "A JSON body may have 1 MiB (a chat 20 MiB), 64 levels of nesting and 20,000 values (a chat 50,000). " +
  "Every GET also answers HEAD. Every response carries an `X-Request-Id`, and every authenticated one `RateLimit-Policy` and `RateLimit`.";

const tags = [
  { name: "Account", description: "Who you are and what you can spend" },
  { name: "Models", description: "What can be generated, and at what price" },
  { name: "Generations", description: "One accepted request and its life" },
  { name: "Chat", description: "Text models, for any client that speaks OpenAI's language" },
  { name: "Files", description: "Content of inputs and outputs" },
  { name: "Characters", description: "Subjects that a worker learns from pictures, for use in other generations" },
  { name: "Webhooks", description: "Signed events of your generations, sent or fetched" },
  { name: "Workers", description: "For programs on GPUs that fetch their jobs" },
  { name: "Keys", description: "API keys, for the console's own session; a key cannot handle keys" },
  { name: "Service", description: "About the hub itself" },
];

const security: Record<Auth, Record<string, string[]>[]> = {
  key: [{ apiKey: [] }],
  worker: [{ workerToken: [] }],
  session: [{ session: [] }],
  "key-or-session": [{ apiKey: [] }, { session: [] }],
  "read-file": [{ apiKey: [] }, { session: [] }, { signedLink: [] }],
  none: [],
};

const IdempotencyKey = z.object({
  "Idempotency-Key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .openapi({ description: "Makes a repetition safe; some API keys require it", example: "order-4711" }),
});

const RequestedWith = z.object({
  "X-Requested-With": z
    .literal("XMLHttpRequest")
    .openapi("RequestedWith", { description: "Says that a script of ours sends it" }),
});

function headersOf({ auth, idempotent, requestHeaders }: Operation): z.ZodObject | undefined {
  if (auth === "session") return RequestedWith;
  return idempotent ? IdempotencyKey : requestHeaders;
}

function describe(declared: Operation): RouteConfig {
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
  };
}

/** Describes the HEAD that comes with a GET: the same answers without their content, and none for a range. */
function describeHead(declared: Operation, operationId: string): RouteConfig {
  const route = describe(declared);
  const responses: RouteConfig["responses"] = {};
  for (const [status, response] of Object.entries(route.responses)) {
    if (status !== "206" && status !== "416") responses[status] = { ...response, content: undefined };
  }
  return { ...route, method: "head", operationId, summary: `${route.summary}: headers only`, responses };
}

function bodyOf({ body, publishedBody, form, upload }: Operation) {
  if (body)
    return { required: !isOptionalBody(body), content: { "application/json": { schema: publishedBody ?? body } } };
  if (form) return { required: true, content: { "multipart/form-data": { schema: form } } };
  if (!upload) return undefined;
  return { required: true, content: { [upload]: { schema: { type: "string" as const, format: "binary" } } } };
}
