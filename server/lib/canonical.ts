import { createHash } from "node:crypto";
import stringify from "safe-stable-stringify";

/** SHA-256 over canonical JSON: the order of members does not matter, everything else does. */
export const hashCanonicalJson = (value: unknown): Buffer =>
  createHash("sha256")
    .update(stringify(value) ?? "null")
    .digest();
