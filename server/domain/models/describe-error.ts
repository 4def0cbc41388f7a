import type { ErrorObject } from "ajv";

const MAX_CHARACTERS = 200;
const MAX_CHOICES = 30;

const cut = (text: string) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
const show = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const list = (values: unknown[]) =>
  values.slice(0, MAX_CHOICES).map(show).join(", ") + (values.length > MAX_CHOICES ? ", …" : "");

/** Where in an input a fault is, as `image_input.0`; empty for the whole of it. */
export function getIssuePath({ instancePath, params }: ErrorObject): string {
  const path = instancePath.split("/").slice(1).map(decode);
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const inner = missingProperty ?? additionalProperty;
  return cut([...path, ...(inner === undefined ? [] : [inner])].join("."));
}

const decode = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** What is wrong and what would be right, for the customer. */
export function describeError({ keyword, params, message = "is not valid" }: ErrorObject): string {
  return sentences[keyword]?.(params as unknown as Params) ?? message;
}

/** What Ajv tells of a fault, over all keywords. */
interface Params {
  type: string | string[];
  allowedValues: unknown[];
  allowedValue: unknown;
  format: string;
  limit: number;
  multipleOf: number;
}

const sentences: Record<string, (params: Params) => string> = {
  required: () => "is required",
  additionalProperties: () => "there is no such parameter",
  type: ({ type }) => `must be ${kinds([type].flat())}`,
  enum: ({ allowedValues }) => `must be one of ${list(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${show(allowedValue)}`,
  format: ({ format }) => `must be ${formatNames[format] ?? `a valid ${format}`}`,
  minLength: ({ limit }) => `must have at least ${count(limit, "character")}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, "character")}`,
  minItems: ({ limit }) => `must have at least ${count(limit, "item")}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, "item")}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
};

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const kinds = (types: string[]) =>
  types.map((type) => (type === "null" ? "null" : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");

const formatNames: Record<string, string> = {
  uri: "an http(s) URL, or sha256: and 64 lower-case hexadecimal digits",
  date: "a date such as 2026-11-21",
  "date-time": "a time such as 2026-11-21T08:00:00Z",
  uuid: "a UUID",
};
