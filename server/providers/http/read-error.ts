import { z } from "zod";

const Text = z.string().catch("");
const Details = z.object({ message: Text, code: Text }).catch({ message: "", code: "" });

/** OpenAI's format of errors, and those of compatible servers: a text, the error itself, or `detail`. */
const ErrorBody = z
  .object({ error: z.union([z.string(), Details]).optional(), message: Text, code: Text, detail: Text })
  .catch({ message: "", code: "", detail: "" });

/** Returns what an error response says; empty texts for what it does not say. The message is upstream's own text. */
export function readError(body: unknown): { message: string; code: string } {
  const { error, message, code, detail } = ErrorBody.parse(body);
  const inner = typeof error === "string" ? { message: error, code: "" } : error;
  return { message: inner?.message || message || detail, code: inner?.code || code };
}
