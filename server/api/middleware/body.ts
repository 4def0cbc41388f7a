import { createHash, type Hash } from "node:crypto";
import { type Hub, withPace } from "../../context";
import { invalidInput } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import { JsonScanner } from "../../lib/json/scanner";
import { checkDeclaredLength, readBytes } from "./bytes";
import { parseOrThrow } from "./parse-or-throw";
import { rejectEncodedBody } from "./content-encoding";
import { MAX_DEPTH, parseJson } from "./json";
import type { BodyBounds, Operation } from "../operation";
import { isOptionalBody } from "./optional-body";

export const DEFAULT_BOUNDS: BodyBounds = { maxBytes: 1024 * 1024, maxValues: 20_000 };
/** From here on every look at the whole body is work that others would wait for. */
const LARGE = { bytes: 256 * 1024, values: 5_000 };
const JSON_TYPE = /^(application\/json|text\/json|application\/[\w.!#$&^+-]+\+json)$/i;

/** A body as it was read. */
export interface ReceivedBody {
  raw: unknown;
  body: unknown;
  digest: Buffer | null;
  /** Whether every look at the whole of it is long work. */
  isLarge: boolean;
}

/**
 * Reads a JSON body: as it was sent, and as its schema reads it; with the digest of the route and the bytes where
 * retries are joined. Rejects with 413, then with 400 and the place: a broken bound as soon as it arrives, before
 * anything is made of the bytes.
 */
export async function readBody(
  hub: Hub,
  request: Request,
  reservation: Reservation,
  { name, body, bodyBounds = DEFAULT_BOUNDS, joinsRetries }: Operation,
): Promise<ReceivedBody> {
  const schema = body!;
  rejectEncodedBody(request);
  checkDeclaredLength(request, bodyBounds.maxBytes);
  const isOptional = isOptionalBody(schema);
  if (!isOptional) checkJsonType(request.headers.get("content-type"));
  const hash = joinsRetries ? createHash("sha256").update(name).update("\0") : null;
  const { bytes, values } = await readJsonBytes(request, bodyBounds, reservation, hash);
  const digest = hash && hash.digest();
  const size = bytes.byteLength;
  if (isOptional && size === 0) return { raw: {}, body: parseOrThrow(schema, {}), digest, isLarge: false };
  if (isOptional) checkJsonType(request.headers.get("content-type"));
  const raw = await parseJson(hub.json, bytes);
  const isLarge = size > LARGE.bytes || values > LARGE.values;
  return { raw, body: await withPace({ isLarge, hub }, () => parseOrThrow(schema, raw)), digest, isLarge };
}

/** Reads the bytes of JSON, and counts its values. Rejects with 413 or 400 as soon as what arrives breaks a bound. */
export async function readJsonBytes(
  request: Request,
  bounds: BodyBounds,
  reservation: Reservation,
  hash: Hash | null = null,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; values: number }> {
  const scanner = new JsonScanner({ maxDepth: MAX_DEPTH, maxValues: bounds.maxValues });
  const bytes = await readBytes(request, bounds.maxBytes, reservation, (chunk) => {
    const broken = scanner.push(chunk);
    if (broken === "maxDepth") throw invalidInput("body", `is nested deeper than ${MAX_DEPTH}`);
    if (broken === "maxValues") throw invalidInput("body", `must hold at most ${bounds.maxValues} values`);
    hash?.update(chunk);
  });
  return { bytes, values: scanner.values };
}

/** Rejects with 400 a body whose Content-Type is not JSON in UTF-8 (specification, section 4.9). */
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
