import { createHash } from "node:crypto";
import stringify from "safe-stable-stringify";
import { writeJson } from "./json/write-json";
import type { SentJson } from "./json/sent-json";
import type { SlicedWork } from "./slices";

/** Returns the SHA-256 of canonical JSON: the order of members does not matter, everything else does. */
export const hashCanonicalJson = (value: unknown): Buffer =>
  createHash("sha256")
    .update(stringify(value) ?? "null")
    .digest();

/** Returns the same hash of a JSON value as `hashCanonicalJson`, by work that pauses. */
export function* hashInSlices(value: unknown): SlicedWork<Buffer> {
  const hash = createHash("sha256");
  yield* writeJson(
    value,
    (text) => hash.update(text),
    (object) => Object.keys(object).sort(),
  );
  return hash.digest();
}

/** Returns the SHA-256 of a name and a sent object's text without some of its members, by work that pauses. */
export function* hashMembersInSlices(
  owner: string,
  { text, members }: SentJson,
  omitted: string[],
): SlicedWork<Buffer> {
  const hash = createHash("sha256").update(`${owner}\0`);
  for (const [name, { start, end }] of members) {
    if (omitted.includes(name)) continue;
    hash.update(`${JSON.stringify(name)}:`);
    for (let at = start; at < end; at += HASHED_BYTES) {
      hash.update(text.subarray(at, Math.min(end, at + HASHED_BYTES)));
      yield;
    }
  }
  return hash.digest();
}

const HASHED_BYTES = 256 * 1024;
