import type { z } from "@hono/zod-openapi";
import { AppError } from "../../errors";

const MOST_FAULTS = 50;

/** Parses what a caller sent, or 400 with every fault by its place. The only road from a ZodError to a 400. */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: sayRequired });
  if (parsed.success) return parsed.data;
  const errors: Record<string, string[]> = {};
  for (const [place, message] of parsed.error.issues.flatMap(faults).slice(0, MOST_FAULTS)) {
    (errors[place] ??= []).push(message);
  }
  const [place, messages] = Object.entries(errors)[0]!;
  throw new AppError("invalid_input", `${place}: ${messages[0]}`, { errors });
}

const sayRequired = ({ input }: { input?: unknown }) => (input === undefined ? "is required" : undefined);

function faults(issue: z.core.$ZodIssue): [string, string][] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => [placeOf([...issue.path, key]), "is not a known member"]);
  }
  return [[placeOf(issue.path), issue.message]];
}

/** `input.image_input.0`; `body` for the whole of it. Bounded, because parts of it are the caller's own words. */
export const placeOf = (path: PropertyKey[]): string => path.map(String).join(".").slice(0, 200) || "body";
