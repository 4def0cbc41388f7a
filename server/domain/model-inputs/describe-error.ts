import type { ErrorObject } from "ajv";
import { cutText } from "../../lib/cut-text";

const MAX_CHARACTERS = 200;
const MAX_CHOICES = 30;

const truncate = (text: string) => (text.length > MAX_CHARACTERS ? `${cutText(text, MAX_CHARACTERS)}…` : text);
const formatValue = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const formatList = (values: unknown[]) =>
  values.slice(0, MAX_CHOICES).map(formatValue).join(", ") + (values.length > MAX_CHOICES ? ", …" : "");

/** Returns the path of an issue in the input, such as `image_input.0`; empty for the input itself. */
export function getIssuePath({ instancePath, params }: ErrorObject): string {
  const path = instancePath.split("/").slice(1).map(decodePointerPart);
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const inner = missingProperty ?? additionalProperty;
  return truncate([...path, ...(inner === undefined ? [] : [inner])].join("."));
}

const decodePointerPart = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** Returns what is wrong with the value and what would be valid. */
export function describeError({ keyword, params, message = "is not valid" }: ErrorObject): string {
  return messages[keyword]?.(params as unknown as Params) ?? message;
}

/** The parameters of Ajv's errors, of all keywords. */
interface Params {
  type: string | string[];
  allowedValues: unknown[];
  allowedValue: unknown;
  format: string;
  limit: number;
  multipleOf: number;
}

const messages: Record<string, (params: Params) => string> = {
  required: () => "is required",
  additionalProperties: () => "there is no such parameter",
  type: ({ type }) => `must be ${formatTypes([type].flat())}`,
  enum: ({ allowedValues }) => `must be one of ${formatList(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${formatValue(allowedValue)}`,
  format: ({ format }) => `must be ${formatNames[format] ?? `a valid ${format}`}`,
  minLength: ({ limit }) => `must have at least ${pluralize(limit, "character")}`,
  maxLength: ({ limit }) => `must have at most ${pluralize(limit, "character")}`,
  minItems: ({ limit }) => `must have at least ${pluralize(limit, "item")}`,
  maxItems: ({ limit }) => `must have at most ${pluralize(limit, "item")}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
};

const pluralize = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const formatTypes = (types: string[]) =>
  types.map((type) => (type === "null" ? "null" : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");

const formatNames: Record<string, string> = {
  uri: "an http(s) URL, or sha256: and 64 lower-case hexadecimal digits",
  date: "a date such as 2026-11-21",
  "date-time": "a time such as 2026-11-21T08:00:00Z",
  uuid: "a UUID",
};
