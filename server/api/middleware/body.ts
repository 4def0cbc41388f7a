import type { z } from "@hono/zod-openapi";
import { invalidInput } from "../../errors";
import { readBytes } from "./bytes";
import { check } from "./check";
import { parseJson } from "./json";

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = /^(application\/json|text\/json|application\/[\w.!#$&^+-]+\+json)$/i;

/** A JSON body of at most 1 MiB or `most` bytes: its bytes, what they say, and as its schema reads it. 413, then 400 with the place. */
export async function readBody<S extends z.ZodType>(
  request: Request,
  schema: S,
  most = MEBIBYTE,
): Promise<{ bytes: Uint8Array; raw: unknown; body: z.output<S> }> {
  const bytes = await readBytes(request, most);
  checkType(request.headers.get("content-type"));
  const raw = parseJson(decode(bytes));
  return { bytes, raw, body: check(schema, raw) };
}

function checkType(header: string | null): void {
  if (header === "application/json") return;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  if (!JSON_TYPE.test(type)) {
    throw invalidInput("Content-Type", "must be application/json, text/json or application/*+json");
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) {
    throw invalidInput("Content-Type", "charset must be utf-8");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

// A byte order mark is skipped, as RFC 8259 allows.
function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidInput("body", "must be UTF-8");
  }
}
