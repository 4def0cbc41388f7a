import { isObject } from "../lib/is-object";
import { DEFAULT_MAX_LENGTH, MAX_ITEMS, MAX_LENGTH, MAX_PATTERN_STEPS } from "./bounds";
import { compileSchema, findSchemaIssues } from "./compile-schema";
import { countPatternSteps } from "./pattern-steps";
import { type Path, type Schema, subschemas } from "./subschemas";

interface SchemaIssue {
  path: Path;
  message: string;
}

const MAX_SCHEMAS = 2_000;
const PARAMETER = /^[A-Za-z][\w.-]{0,127}$/;
const keywords = new Set(
  `type title description default examples deprecated enum const
   minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
   items minItems maxItems uniqueItems properties required additionalProperties minProperties maxProperties
   anyOf oneOf allOf not if then else`.split(/\s+/),
);

/** Returns the issues of a `parameters_schema`: violations of JSON Schema, and anything that could make validation hang. */
export function checkSchema(schema: Schema): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  if (schema.type !== "object") issues.push({ path: ["type"], message: "must be object" });
  for (const name of isObject(schema.properties) ? Object.keys(schema.properties) : []) {
    if (PARAMETER.test(name)) continue;
    const message = "must start with a letter and contain only letters, digits, _ . and -";
    issues.push({ path: ["properties", name], message });
  }
  const visited = checkKeywords(schema, [], issues);
  if (visited > MAX_SCHEMAS) issues.push({ path: [], message: `contains more than ${MAX_SCHEMAS} schemas` });
  if (issues.length > 0) return issues;
  for (const { pointer, message } of findSchemaIssues(schema)) issues.push({ path: toPath(pointer), message });
  return issues.length > 0 ? issues : findCompileIssues(schema);
}

function checkKeywords(schema: Schema, path: Path, issues: SchemaIssue[]): number {
  for (const [keyword, value] of Object.entries(schema)) {
    const message = keywords.has(keyword)
      ? describeLimitIssue(keyword, value, schema)
      : describeUnknownKeyword(keyword);
    if (message) issues.push({ path: [...path, keyword], message });
  }
  let visited = 1;
  for (const inner of subschemas(schema)) {
    if (typeof inner.schema === "boolean") continue;
    const at = [...path, ...inner.path];
    if (isObject(inner.schema)) visited += checkKeywords(inner.schema, at, issues);
    else issues.push({ path: at, message: "must be a schema: a mapping, true or false" });
  }
  return visited;
}

const describeUnknownKeyword = (keyword: string) =>
  /ref$/i.test(keyword)
    ? "references are not supported: repeat the schema, or share it with a YAML anchor"
    : `is not a supported keyword: ${keyword}`;

function describeLimitIssue(keyword: string, value: unknown, schema: Schema): string | undefined {
  if (keyword === "maxLength" && Number(value) > MAX_LENGTH) return `must be at most ${MAX_LENGTH}`;
  if (keyword === "maxItems" && Number(value) > MAX_ITEMS) return `must be at most ${MAX_ITEMS}`;
  if (keyword === "pattern" && typeof value === "string") return describePatternIssue(value, schema);
  return undefined;
}

function describePatternIssue(pattern: string, { maxLength }: Schema): string | undefined {
  try {
    new RegExp(pattern, "u").test("");
  } catch (error) {
    return (error as Error).message;
  }
  const length = typeof maxLength === "number" ? maxLength : DEFAULT_MAX_LENGTH;
  if (countPatternSteps(pattern, length) <= MAX_PATTERN_STEPS) return undefined;
  return `may take too long on ${length} characters: set a smaller maxLength, start it with ^, and avoid nested repetitions, lookaround and backreferences`;
}

function findCompileIssues(schema: Schema): SchemaIssue[] {
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    // Ajv quotes the location in its message, as `"#/properties/a"`.
    const message = (error as Error).message.replace(/^strict mode: /, "");
    const [, pointer = ""] = /"#(\/[^"]*)"/.exec(message) ?? [];
    return [{ path: toPath(pointer), message }];
  }
}

const toPath = (pointer: string): Path =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      return /^\d+$/.test(name) ? Number(name) : name;
    });
