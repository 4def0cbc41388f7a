import type { z } from "@hono/zod-openapi";
import "../../lib/issue-messages";
import { rejectIssues } from "../../lib/reject-issues";

/** Parses what a caller sent. Rejects with 400 and every issue by its place; the only road from a ZodError to a 400. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw rejectIssues(parsed.error.issues);
}
