import type { z } from "zod";
import type { Path } from "./subschemas";

/** What zod found, as a remedy; for `safeParse(…, { error })`. Messages given in the shape itself come first. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is required" : `must be ${kind(issue.expected)}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return `must ${verb(issue.origin)} at least ${amount(issue.minimum, issue.origin)}`;
  if (issue.code === "too_big") return `must ${verb(issue.origin)} at most ${amount(issue.maximum, issue.origin)}`;
  return undefined;
}

const kinds: Record<string, string> = {
  record: "a mapping of names to values",
  object: "a mapping of names to values",
  array: "a list",
  int: "a whole number",
  boolean: "true or false",
};
const kind = (expected: string) => kinds[expected] ?? `a ${expected}`;

const units: Record<string, string> = { string: "character", array: "item" };
const amount = (n: number | bigint, origin: string) =>
  units[origin] ? `${n} ${units[origin]}${n === 1 ? "" : "s"}` : `${n}`;
const verb = (origin: string) => (units[origin] ? "have" : "be");

/** The places of an issue: a key that nobody knows is its own. */
export function placesOf(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const path = issue.path as Path;
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: "there is no such setting" }));
}
