import { openApiDocument } from "@/server/api/openapi";

/** The parts of an OpenAPI document that the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  example?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Operation {
  method: string;
  path: string;
  operationId?: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
}

// Paths are shown without a host, so the base URL does not matter.
const document = openApiDocument("/") as unknown as Document;

export const { info, tags } = document;
export const schemas = Object.entries(document.components.schemas);

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

/** Returns a schema's type as text, and the name of the schema that it references. */
export function typeOf(schema: Schema): { text: string; reference: string | null } {
  if (schema.$ref) return { text: schema.$ref.split("/").at(-1)!, reference: schema.$ref.split("/").at(-1)! };
  if (schema.enum) return { text: schema.enum.map((value) => JSON.stringify(value)).join(" | "), reference: null };
  if (schema.anyOf) {
    const options = schema.anyOf.map(typeOf);
    const reference = options.find((option) => option.reference !== null)?.reference ?? null;
    return { text: options.map(({ text }) => text).join(" | "), reference };
  }
  const types = [schema.type ?? "any"].flat().map((type) => (type === "array" ? null : type));
  if (!types.includes(null)) return { text: types.join(" | "), reference: null };
  const item = typeOf(schema.items ?? {});
  const text = types.map((type) => type ?? `array of ${item.text}`).join(" | ");
  return { text, reference: item.reference };
}
