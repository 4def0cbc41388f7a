import type { z } from "@hono/zod-openapi";
import "../../lib/issue-messages";
import { rejectIssues } from "../../lib/reject-issues";

/** Parses input from a caller. Throws 400 with every issue by location; no other code turns a ZodError into a 400. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw rejectIssues(parsed.error.issues);
}
