import { MONEY_MEMBERS } from "../../clients/typescript/src/decimals";
import { openApiDocument } from "../../server/api/openapi";

export type Schema = Record<string, unknown> & { properties?: Record<string, Schema> };
type Content = Record<string, { schema: Schema }>;
interface Operation {
  operationId: string;
  tags: string[];
  description?: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}
export interface ClientDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** What a program with an API key calls. Workers and the console have programs of their own. */
const TAGS = new Set(["Account", "Models", "Generations", "Chat", "Files", "Characters", "Webhooks"]);
const NEEDED_SCHEMAS = ["Envelope", "Problem"];

/**
 * Returns the part of the OpenAPI document that the clients are generated from. Amounts are strings in it, as the
 * clients return them.
 */
export function createClientDocument(): ClientDocument {
  const document = JSON.parse(JSON.stringify(openApiDocument("https://hub.example.com"))) as ClientDocument;
  const paths: ClientDocument["paths"] = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    const kept = Object.entries(methods).filter(([method, { tags }]) => method !== "head" && TAGS.has(tags[0]!));
    if (kept.length > 0) paths[path] = Object.fromEntries(kept.map(([method, one]) => [method, toOperation(one)]));
  }
  const { schemas } = document.components;
  const names = findReferences([paths, NEEDED_SCHEMAS.map(toReference)], schemas);
  const kept = Object.fromEntries([...names].sort().map((name) => [name, toSchema(schemas[name]!) as Schema]));
  const { openapi, info } = document;
  return { openapi, info: { title: info.title, version: info.version }, paths, components: { schemas: kept } };
}

/** Leaves out errors, which are all problems, and headers, which the clients read themselves. */
function toOperation({ operationId, tags, description, parameters, requestBody, responses }: Operation): Operation {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const described = successes.map(([status, { description, content }]) => [status, { description, content }]);
  const operation = {
    operationId,
    tags,
    description,
    parameters,
    requestBody,
    responses: Object.fromEntries(described) as Operation["responses"],
  };
  return toSchema(JSON.parse(JSON.stringify(operation))) as Operation;
}

/** Returns a schema without examples, with amounts as strings. */
function toSchema(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((member) => toSchema(member));
  if (typeof value !== "object" || value === null) return value;
  const isAmount = MONEY_MEMBERS.has(name) && isNumber(value as Schema);
  const members = Object.entries(value).filter(([member]) => member !== "example");
  const copy = Object.fromEntries(members.map(([member, one]) => [member, toSchema(one, member)])) as Schema;
  if (!isAmount) return copy;
  const { type, description } = value as Schema;
  return { type: Array.isArray(type) ? ["string", "null"] : "string", description };
}

const isNumber = ({ type }: Schema): boolean => type === "number" || (Array.isArray(type) && type.includes("number"));

const toReference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function findReferences(value: unknown, schemas: Record<string, Schema>, found = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    findReferences(schemas[name!], schemas, found);
  }
  return found;
}
