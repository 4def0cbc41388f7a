import { getPageApi } from "@/server/hub";

/** The parts of an OpenAPI document that the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Response {
  description: string;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

export interface Operation {
  method: string;
  path: string;
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}

interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
}

const { adminDocument, openApiDocument } = await getPageApi();
// Paths are shown without a host, so the base URL does not matter.
const document = mergeAllOf(openApiDocument("/")) as Document;
/** The management API, which has its own document and a page of the same reference. */
const management = mergeAllOf(adminDocument("/")) as Document;
const components: Record<string, Schema> = { ...management.components.schemas, ...document.components.schemas };

/** Returns the value with the parts of each `allOf` as one schema: a reference with its own description or example. */
function mergeAllOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mergeAllOf);
  if (typeof value !== "object" || value === null) return value;
  if ("allOf" in value) return mergeAllOf(Object.assign({}, ...(value.allOf as object[])));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mergeAllOf(member)]));
}

export const { info } = document;
export const tags = [...document.tags, ...management.tags.filter(({ name }) => name !== "Service")];
export const schemas = Object.entries(components);

const paths = Object.entries(document.paths).concat(Object.entries(management.paths));
export const operations: Operation[] = paths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

export const operationsOf = (tag: string): Operation[] => operations.filter((one) => one.tags.includes(tag));

/** Returns the path of a tag's page. */
export const pathOfTag = (tag: string): string => `/docs/api/${tag.toLowerCase()}`;

/** Returns the fragment of an operation on its tag's page. */
export const anchorOf = ({ method, path }: Pick<Operation, "method" | "path">): string =>
  `${method}${path}`.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();

/** Returns the name of the schema that a reference names. */
export const nameOfReference = (reference: string): string => reference.split("/").at(-1)!;

/** Returns the schema behind a reference, or the schema itself. */
export const resolveSchema = (schema: Schema): Schema =>
  schema.$ref ? components[nameOfReference(schema.$ref)]! : schema;

/** Returns the media type and schema of a request body; null without one. */
export function bodyOf({ requestBody }: Operation): { mediaType: string; schema: Schema } | null {
  const [body] = Object.entries(requestBody?.content ?? {});
  return body ? { mediaType: body[0], schema: body[1].schema } : null;
}
