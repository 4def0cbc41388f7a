import { createHash } from "node:crypto";
import stringify from "safe-stable-stringify";
import { writeJson } from "./json/write-json";
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
