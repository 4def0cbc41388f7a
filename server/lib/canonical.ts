import { createHash } from "node:crypto";
import stringify from "safe-stable-stringify";

/** Returns the SHA-256 of canonical JSON: the order of members does not matter, everything else does. */
export const hashCanonicalJson = (value: unknown): Buffer =>
  createHash("sha256")
    .update(stringify(value) ?? "null")
    .digest();
