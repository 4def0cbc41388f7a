import { type core, z } from "zod";
import { AppError } from "../errors";

const MAX_ISSUES = 50;
const MAX_PLACE_LENGTH = 200;

/** Returns the 400 `invalid_input` that tells a caller every issue of a schema by its place, at least one. */
export function rejectIssues(issues: core.$ZodIssue[]): AppError {
  // Callers choose the names in a place, so one may be `constructor`.
  const errors = new Map<string, string[]>();
  for (const [place, message] of withoutBoundsOfOtherTypes(issues).flatMap(listIssues).slice(0, MAX_ISSUES)) {
    errors.set(place, [...(errors.get(place) ?? []), message]);
  }
  const [[place, messages]] = [...errors] as [[string, string[]]];
  return new AppError("invalid_input", `${place}: ${messages[0]}`, { errors: Object.fromEntries(errors) });
}

/** Zod also checks the length of a text where it expects an array, and the reverse, which does not help the caller. */
function withoutBoundsOfOtherTypes(issues: core.$ZodIssue[]): core.$ZodIssue[] {
  const mistyped = new Set(issues.flatMap(({ code, path }) => (code === "invalid_type" ? [path.join()] : [])));
  return issues.filter(({ code, path }) => code === "invalid_type" || !mistyped.has(path.join()));
}

function listIssues(issue: core.$ZodIssue): [place: string, message: string][] {
  if (issue.code !== "unrecognized_keys") return [[placeOf(issue.path), issue.message]];
  return issue.keys.slice(0, MAX_ISSUES).map((key) => [placeOf([...issue.path, key]), "is not a known member"]);
}

/** Returns `input.image_input.0`; `body` for the whole. Bounded, because parts of it are the caller's own words. */
export const placeOf = (path: PropertyKey[]): string => path.map(String).join(".").slice(0, MAX_PLACE_LENGTH) || "body";

type Issue = z.core.$ZodRawIssue;

/** Returns what zod found as a remedy for the caller: `must be a string`. Messages given in a schema come first. */
export function describeIssue(issue: Issue, types: Record<string, string> = {}): string {
  if (issue.code === "invalid_type") return describeType(issue, { ...jsonTypes, ...types });
  // The compiler cannot see that the sentence of a code takes the issue of that code.
  return (sentences[issue.code] as (issue: Issue) => string)(issue);
}

const describeType = ({ input, expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>, types: typeof jsonTypes) =>
  input === undefined ? "is required" : `must be ${types[expected] ?? `a ${expected}`}`;

/** Names of types in messages, where `a` and the type's own name would read badly. */
const jsonTypes: Record<string, string> = {
  array: "an array",
  boolean: "true or false",
  int: "an integer",
  null: "null",
  object: "an object",
  record: "an object",
};

const MAX_NAMES_LENGTH = 200;
const isNotValid = () => "is not valid";

const sentences: { [C in Exclude<Issue["code"], "invalid_type">]: (issue: Extract<Issue, { code: C }>) => string } = {
  invalid_value: ({ values }) => `must be ${values.length > 1 ? "one of " : ""}${values.map(String).join(", ")}`,
  too_small: ({ origin, inclusive = true, minimum }) =>
    describeBound(origin, inclusive ? "at least" : "more than", minimum),
  too_big: ({ origin, inclusive = true, maximum }) =>
    describeBound(origin, inclusive ? "at most" : "less than", maximum),
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  invalid_format: ({ format, pattern = format }) => `must be ${formats[format] ?? `a text such as ${pattern}`}`,
  unrecognized_keys: ({ keys }) => `has unknown members: ${keys.join(", ").slice(0, MAX_NAMES_LENGTH)}`,
  invalid_union: ({ errors }) => describeUnion(errors),
  invalid_key: isNotValid,
  invalid_element: isNotValid,
  custom: isNotValid,
};

const formats: Record<string, string> = {
  datetime: "a time such as 2026-11-21T08:00:00Z",
  email: "an e-mail address",
  url: "a URL",
  uuid: "a UUID",
};

const units: Record<string, string> = { string: "character", array: "item" };

function describeBound(origin: string, relation: string, limit: number | bigint): string {
  const unit = units[origin];
  return unit ? `must have ${relation} ${limit} ${unit}${limit === 1 ? "" : "s"}` : `must be ${relation} ${limit}`;
}

// Issues deeper inside belong to one of the options, and nobody knows which one was meant.
function describeUnion(options: z.core.$ZodIssue[][]): string {
  const messages = options.flat().flatMap(({ path, message }) => (path.length === 0 ? [message] : []));
  return messages.length > 0 ? [...new Set(messages)].join(", or ") : "matches none of the accepted forms";
}

// For every schema of the process: no caller of the API or of the console ever reads the library's own words.
z.config({ customError: (issue) => describeIssue(issue) });
