import type { ClientDocument, Schema } from "./client-document";

const PRIMITIVES: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set(["from", "class", "def", "import", "global", "in", "is", "not", "and", "or"]);

/** Returns a Python module with a TypedDict for each object of the document, and a Literal for each enumeration. */
export function generatePython({ components }: ClientDocument): string {
  const classes: string[] = [];
  for (const [name, schema] of Object.entries(components.schemas)) addClass(name, schema, classes);
  return [
    "from __future__ import annotations",
    "",
    "from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union",
    "",
    ...classes,
    "",
  ].join("\n");
}

function addClass(name: string, schema: Schema, classes: string[]): void {
  if (!schema.properties) {
    classes.push(`${name} = ${toType(name, schema, classes)}\n`);
    return;
  }
  const required = new Set((schema.required ?? []) as string[]);
  const members = Object.entries(schema.properties).map(([member, one]): [string, string, unknown] => {
    const type = toType(name + toPascal(member), one, classes);
    return [member, required.has(member) ? type : `NotRequired[${type}]`, one.description];
  });
  if (members.some(([member]) => !IDENTIFIER.test(member) || KEYWORDS.has(member))) {
    const entries = members.map(([member, type]) => `    ${JSON.stringify(member)}: ${JSON.stringify(type)},`);
    classes.push([`${name} = TypedDict("${name}", {`, ...entries, "})", ""].join("\n"));
    return;
  }
  const lines = members.flatMap(([member, type, description]) => [
    `    ${member}: ${type}`,
    ...(typeof description === "string" ? [`    ${toDocstring(description)}`] : []),
  ]);
  const about = typeof schema.description === "string" ? [`    ${toDocstring(schema.description)}`, ""] : [];
  classes.push([`class ${name}(TypedDict):`, ...about, ...(lines.length > 0 ? lines : ["    pass"]), ""].join("\n"));
}

/** Returns the type of a schema, quoted where it is in an assignment; nested objects become classes of their own. */
function toType(name: string, schema: Schema, classes: string[]): string {
  const reference = /\/(\w+)$/.exec((schema.$ref as string | undefined) ?? "")?.[1];
  if (reference) return `"${reference}"`;
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options) return union(options.map((one, index) => toType(`${name}${index || ""}`, one, classes)));
  const values = (schema.enum ?? ("const" in schema ? [schema.const] : undefined)) as unknown[] | undefined;
  if (values) return `Literal[${values.map((value) => toLiteral(value)).join(", ")}]`;
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string];
  return union(types.map((type) => toSingleType(name, type, schema, classes)));
}

function toSingleType(name: string, type: string, schema: Schema, classes: string[]): string {
  if (type === "array") return `List[${toType(`${name}Item`, (schema.items ?? {}) as Schema, classes)}]`;
  if (schema.format === "binary") return "bytes";
  if (type !== "object") return PRIMITIVES[type] ?? "Any";
  if (!schema.properties) {
    const members = schema.additionalProperties;
    const isTyped = typeof members === "object" && members !== null && Object.keys(members).length > 0;
    return `Dict[str, ${isTyped ? toType(`${name}Value`, members as Schema, classes) : "Any"}]`;
  }
  addClass(name, schema, classes);
  return `"${name}"`;
}

function union(types: string[]): string {
  const distinct = [...new Set(types)];
  const real = distinct.filter((type) => type !== "None");
  const joined = real.length > 1 ? `Union[${real.join(", ")}]` : (real[0] ?? "None");
  return real.length > 0 && real.length < distinct.length ? `Optional[${joined}]` : joined;
}

const toLiteral = (value: unknown): string =>
  typeof value === "boolean" ? (value ? "True" : "False") : value === null ? "None" : JSON.stringify(value);

const toPascal = (member: string): string =>
  member.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

const toDocstring = (text: string): string => `"""${text.replaceAll("\\", "\\\\").replaceAll('"', "'")}"""`;
