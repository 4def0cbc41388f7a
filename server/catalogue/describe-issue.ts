import type { z } from "zod";
import { describeIssue } from "../lib/issues";
import type { Path } from "./subschemas";

/** Returns the message of a zod issue in terms of YAML, for `safeParse(…, { error })`. */
export const describeYamlIssue = (issue: z.core.$ZodRawIssue): string => describeIssue(issue, yamlTypes);

const yamlTypes: Record<string, string> = {
  record: "a mapping of names to values",
  object: "a mapping of names to values",
  array: "a list",
  int: "a whole number",
  boolean: "true or false",
};

/** Returns the locations of an issue. Each unknown key is a location of its own. */
export function toLocatedMessages(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const path = issue.path as Path;
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: "is not a setting" }));
}
