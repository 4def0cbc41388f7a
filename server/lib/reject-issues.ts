import type { core } from "zod";
import { AppError } from "../errors";

const MAX_ISSUES = 50;
const MAX_PLACE_LENGTH = 200;

/** Returns the 400 `invalid_input` that tells a caller every issue of a schema by its place, at least one. */
export function rejectIssues(issues: core.$ZodIssue[]): AppError {
  // A place is the caller's own word, `constructor` as well.
  const errors = new Map<string, string[]>();
  for (const [place, message] of issues.flatMap(listIssues).slice(0, MAX_ISSUES)) {
    errors.set(place, [...(errors.get(place) ?? []), message]);
  }
  const [[place, messages]] = [...errors] as [[string, string[]]];
  return new AppError("invalid_input", `${place}: ${messages[0]}`, { errors: Object.fromEntries(errors) });
}

function listIssues(issue: core.$ZodIssue): [place: string, message: string][] {
  if (issue.code !== "unrecognized_keys") return [[placeOf(issue.path), issue.message]];
  return issue.keys.slice(0, MAX_ISSUES).map((key) => [placeOf([...issue.path, key]), "is not a known member"]);
}

/** Returns `input.image_input.0`; `body` for the whole. Bounded, because parts of it are the caller's own words. */
export const placeOf = (path: PropertyKey[]): string => path.map(String).join(".").slice(0, MAX_PLACE_LENGTH) || "body";
