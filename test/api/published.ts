import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";
import { adminDocument } from "../../server/api/admin/openapi";
import { openApiDocument } from "../../server/api/openapi";

interface PublishedResponse {
  description: string;
  content?: Record<string, { schema: Record<string, unknown> }>;
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
}
interface PublishedOperation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, PublishedResponse>;
}
export interface Document {
  openapi: string;
  info: { title: string };
  paths: Record<string, Record<string, PublishedOperation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

export const PUBLIC = "https://hub.test";
export const published = JSON.parse(JSON.stringify(openApiDocument(PUBLIC))) as Document;
/** The management API, which has a document of its own. */
export const publishedAdmin = JSON.parse(JSON.stringify(adminDocument(PUBLIC))) as Document;
const documents = { document: published, management: publishedAdmin };

// Clients ignore unknown members, but tests reject them: the document must describe every member of a response.
const ajv = new Ajv2020({ strict: false, allErrors: true });
const addFormats = formats as unknown as (ajv: Ajv2020) => void;
addFormats(ajv);
for (const [$id, document] of Object.entries(documents)) ajv.addSchema({ $id, ...closeSchemas(document) });

function closeSchemas(value: unknown, insideAllOf = false): Record<string, unknown> {
  if (Array.isArray(value)) return value.map((item) => closeSchemas(item)) as never;
  if (typeof value !== "object" || value === null) return value as never;
  const closed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    closed[name] =
      name === "allOf" ? (member as unknown[]).map((part) => closeSchemas(part, true)) : closeSchemas(member);
  }
  if (("properties" in closed && !insideAllOf) || "allOf" in closed) closed.unevaluatedProperties = false;
  return closed;
}

const validators = new Map<string, ValidateFunction>();
/** Returns the check of the schema at a pointer. Schemas that only name a component share its check, which is slow to compile. */
function validatorOf(id: string, pointer: string[], schema: Record<string, unknown>): ValidateFunction {
  const isName = Object.keys(schema).join() === "$ref";
  const reference = id + (isName ? String(schema.$ref) : `#/${pointer.map(escape).join("/")}`);
  let check = validators.get(reference);
  if (!check) validators.set(reference, (check = ajv.compile({ $ref: reference })));
  return check;
}

const escape = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** The paths of each document, as patterns. */
const paths = Object.fromEntries(
  Object.entries(documents).map(([id, document]) => [
    id,
    Object.entries(document.paths).map(([template, methods]) => ({
      template,
      methods,
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    })),
  ]),
);

/** Returns the published operation that serves this method and path, with its template. */
function findOperation(method: string, path: string, id: string): { template: string; method: string } | null {
  const name = method.toLowerCase();
  for (const { template, methods, pattern } of paths[id]!) {
    if (!pattern.test(path)) continue;
    if (name in methods) return { template, method: name };
    // Every GET operation also answers HEAD, whether that is described or not.
    if (name === "head" && "get" in methods) return { template, method: "get" };
  }
  return null;
}

/** Fails unless the document describes this response. */
export function expectPublished(
  method: string,
  path: string,
  status: number,
  type: string | null,
  body: unknown,
): void {
  const id = path.startsWith("/api/v1/admin/") ? "management" : "document";
  const found = findOperation(method, path, id);
  if (!found) return;
  const { responses } = documents[id].paths[found.template]![found.method]!;
  const key = status in responses ? String(status) : `${Math.floor(status / 100)}XX`;
  const response = responses[key];
  if (!response) {
    const shown = JSON.stringify(body);
    expect.fail(`${method} ${path} responds with ${status}, which the document does not list: ${shown}`);
  }
  if (type === "application/problem+json" && body !== undefined && key !== "4XX") {
    expect(response.description).toContain(`\`${(body as { code: string }).code}\``);
  }
  const media = Object.keys(response.content ?? {}).find((name) => name === type && name.endsWith("json"));
  if (!media || body === undefined) return;
  const pointer = ["paths", found.template, found.method, "responses", key, "content", media, "schema"];
  const check = validatorOf(id, pointer, response.content![media]!.schema);
  if (!check(body)) expect(check.errors, `${method} ${path} ${status}: ${JSON.stringify(body)}`).toEqual([]);
}
