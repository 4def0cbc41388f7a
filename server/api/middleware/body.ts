import { createHash, type Hash } from "node:crypto";
import type { z } from "@hono/zod-openapi";
import { runBodyWork } from "../../context";
import type { Hub } from "../../domain/hub";
import { invalidInput } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import { rejectIssues } from "../../lib/issues";
import { JsonScanner, MAX_NAME_BYTES } from "../../lib/json/scanner";
import type { SentJson } from "../../lib/json/sent-json";
import { memoizePer } from "../../lib/memoize-per";
import type { BodyBounds, Operation } from "../operation";
import { checkDeclaredLength, readBytes, rejectEncodedBody } from "./bytes";
import { MAX_DEPTH, parseJson, parseSentBody } from "./json";

export const DEFAULT_BOUNDS: BodyBounds = { maxBytes: 1024 * 1024, maxValues: 20_000 };
/** Larger bodies are processed at a limited pace, so that other requests do not wait for them. */
const LARGE_BODY = { bytes: 256 * 1024, values: 5_000 };
const JSON_TYPE = /^(application\/json|text\/json|application\/[\w.!#$&^+-]+\+json)$/i;

/** A parsed body. */
interface ReceivedBody {
  /** The JSON value as sent; integers that would be rounded are strings. */
  raw: unknown;
  /** The value parsed by the schema of the operation. */
  body: unknown;
  /** SHA-256 of the operation name and the body; null unless the operation joins retries. */
  digest: Buffer | null;
  /** The text of a body that is forwarded; null for any other. */
  sent: SentJson | null;
  /** Whether work on the whole body must be paced. */
  isLarge: boolean;
}

/**
 * Reads and parses a JSON body. Rejects with 413, or with 400 and the location. Limits are checked while the body
 * arrives, before it is parsed.
 */
export async function readBody(
  hub: Hub,
  request: Request,
  reservation: Reservation,
  {
    name,
    method,
    body,
    bodyBounds = DEFAULT_BOUNDS,
    joinsRetries,
    identifyRepeat,
    forwardsBody,
  }: Pick<Operation, "name" | "method" | "body" | "bodyBounds" | "joinsRetries" | "identifyRepeat" | "forwardsBody">,
): Promise<ReceivedBody> {
  const schema = body!;
  rejectEncodedBody(request);
  checkDeclaredLength(request, bodyBounds.maxBytes);
  const isOptional = isOptionalBody(method, schema);
  if (!isOptional) checkJsonType(request.headers.get("content-type"));
  const hash = joinsRetries && !identifyRepeat ? createHash("sha256").update(name).update("\0") : null;
  const { bytes, values } = await readJsonBytes(request, bodyBounds, reservation, hash);
  const digest = hash && hash.digest();
  const size = bytes.byteLength;
  if (isOptional && size === 0) return { raw: {}, body: parseOrThrow(schema, {}), digest, sent: null, isLarge: false };
  if (isOptional) checkJsonType(request.headers.get("content-type"));
  const pace = { isLarge: isLargeBody(size, values), hub };
  const { sent, exact, value } = await (forwardsBody
    ? parseSentBody(pace, bytes, values)
    : parseJson(hub.json, bytes).then((parsed) => ({ sent: null, exact: parsed, value: parsed })));
  return {
    raw: exact,
    body: await runBodyWork(pace, () => parseOrThrow(schema, value)),
    digest: identifyRepeat && sent ? await identifyRepeat(sent, pace) : digest,
    sent,
    isLarge: pace.isLarge,
  };
}

/** Returns whether work on a whole body of this size must be paced. */
export const isLargeBody = (bytes: number, values: number): boolean =>
  bytes > LARGE_BODY.bytes || values > LARGE_BODY.values;

/** Reads the bytes of a JSON body and counts its values. Rejects with 413 or 400 as soon as a limit is exceeded. */
export async function readJsonBytes(
  request: Request,
  bounds: BodyBounds,
  reservation: Reservation,
  hash: Hash | null = null,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; values: number }> {
  const scanner = new JsonScanner({ maxDepth: MAX_DEPTH, maxValues: bounds.maxValues, maxNameBytes: MAX_NAME_BYTES });
  const bytes = await readBytes(request, bounds.maxBytes, reservation, (chunk) => {
    const exceededLimit = scanner.push(chunk);
    if (exceededLimit === "maxDepth") throw invalidInput("body", `is nested deeper than ${MAX_DEPTH}`);
    if (exceededLimit === "maxValues") throw invalidInput("body", `must hold at most ${bounds.maxValues} values`);
    if (exceededLimit === "maxNameBytes")
      throw invalidInput("body", `must have names of at most ${MAX_NAME_BYTES / 2 ** 20} MiB in total`);
    hash?.update(chunk);
  });
  return { bytes, values: scanner.values };
}

/**
 * Returns whether a body of this schema may be omitted, because it has no required members: it is then `{}`. A PATCH without
 * a body is rejected, because its changes were probably lost on the way.
 */
export const isOptionalBody = (method: Operation["method"], schema: z.ZodType): boolean =>
  method !== "patch" && acceptsNoMembers(schema);

const acceptsNoMembers = memoizePer((schema: z.ZodType): boolean => schema.safeParse({}).success);

/** Throws 400 unless the Content-Type is JSON in UTF-8 (specification, section 4.9). */
export function checkJsonType(header: string | null): void {
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

/** Parses input from a caller. Throws 400 with every issue by location; no other code turns a ZodError into a 400. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw rejectIssues(parsed.error.issues);
}
