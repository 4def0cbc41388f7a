import { DEFAULT_MAX_LENGTH, MAX_ITEMS, MAX_LENGTH, MAX_PATTERN_STEPS } from "./bounds";
import { compileSchema, findSchemaIssues } from "./compile-schema";
import { countPatternSteps } from "./pattern-steps";
import { isSchema, type Path, type Schema, subschemas } from "./subschemas";

export interface SchemaIssue {
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

/** Why a `parameters_schema` cannot be used: rules of JSON Schema, and what could make a check of an input hang. */
export function checkSchema(schema: Schema): SchemaIssue[] {
  const faults: SchemaIssue[] = [];
  if (schema.type !== "object") faults.push({ path: ["type"], message: "must be object" });
  for (const name of isSchema(schema.properties) ? Object.keys(schema.properties) : []) {
    if (PARAMETER.test(name)) continue;
    const message = "must begin with a letter, and hold letters, digits, _ . and - only";
    faults.push({ path: ["properties", name], message });
  }
  const visited = walk(schema, [], faults);
  if (visited > MAX_SCHEMAS) faults.push({ path: [], message: `holds more than ${MAX_SCHEMAS} schemas` });
  if (faults.length > 0) return faults;
  for (const { pointer, message } of findSchemaIssues(schema)) faults.push({ path: toPath(pointer), message });
  return faults.length > 0 ? faults : compileFaults(schema);
}

function walk(schema: Schema, path: Path, faults: SchemaIssue[]): number {
  for (const [keyword, value] of Object.entries(schema)) {
    const message = keywords.has(keyword) ? limitFault(keyword, value, schema) : unknown(keyword);
    if (message) faults.push({ path: [...path, keyword], message });
  }
  let visited = 1;
  for (const inner of subschemas(schema)) {
    if (typeof inner.schema === "boolean") continue;
    const at = [...path, ...inner.path];
    if (isSchema(inner.schema)) visited += walk(inner.schema, at, faults);
    else faults.push({ path: at, message: "must be a schema: a mapping, true or false" });
  }
  return visited;
}

const unknown = (keyword: string) =>
  /ref$/i.test(keyword)
    ? "references are not taken: repeat the schema, or share it by a YAML anchor"
    : `there is no keyword ${keyword} for parameters`;

function limitFault(keyword: string, value: unknown, schema: Schema): string | undefined {
  if (keyword === "maxLength" && Number(value) > MAX_LENGTH) return `must be at most ${MAX_LENGTH}`;
  if (keyword === "maxItems" && Number(value) > MAX_ITEMS) return `must be at most ${MAX_ITEMS}`;
  if (keyword === "pattern" && typeof value === "string") return patternFault(value, schema);
  return undefined;
}

function patternFault(pattern: string, { maxLength }: Schema): string | undefined {
  try {
    new RegExp(pattern, "u").test("");
  } catch (error) {
    return (error as Error).message;
  }
  const length = typeof maxLength === "number" ? maxLength : DEFAULT_MAX_LENGTH;
  if (countPatternSteps(pattern, length) <= MAX_PATTERN_STEPS) return undefined;
  return `may take too long on ${length} characters: set a smaller maxLength, begin it with ^, and avoid repetitions inside repetitions, look-around and back-references`;
}

function compileFaults(schema: Schema): SchemaIssue[] {
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    // Ajv says where as `"#/properties/a"`.
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
