import type { z } from "zod";
import { describeIssue } from "../lib/issue-messages";
import type { Path } from "./subschemas";

/** What zod found, in the words of YAML; for `safeParse(…, { error })`. */
export const describeYamlIssue = (issue: z.core.$ZodRawIssue): string => describeIssue(issue, yamlTypes);

const yamlTypes: Record<string, string> = {
  record: "a mapping of names to values",
  object: "a mapping of names to values",
  array: "a list",
  int: "a whole number",
  boolean: "true or false",
};

/** The places of an issue: a key that nobody knows is its own. */
export function toLocatedMessages(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const path = issue.path as Path;
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: "there is no such setting" }));
}
