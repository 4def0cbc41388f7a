import { createHash } from "node:crypto";
import { type Condition, isScalar, readScalar } from "./expression";

/** The key of waits that every event of their name may end. */
const COMMON_KEY = "";

/**
 * Returns a digest of one value that the awaited event must have, by which an event finds the waits that it may end
 * without reading the others. Null when no event can match, because the run's own event lacks the value.
 */
export function createWaitKey(condition: Condition, event: unknown): string | null {
  for (const [left, right] of condition) {
    const [awaited, own] = "root" in left && left.root === "async" ? [left, right] : [right, left];
    if (!("root" in awaited) || awaited.root !== "async" || ("root" in own && own.root === "async")) continue;
    const value = "root" in own ? readScalar(event, own.path) : own.value;
    return value === undefined ? null : digestValue(awaited.path.join("."), value);
  }
  return COMMON_KEY;
}

/** Returns every key that a wait for this event may have. */
export function listWaitKeys(event: object): string[] {
  const keys = [COMMON_KEY];
  const visit = (value: unknown, path: string) => {
    if (isScalar(value)) keys.push(digestValue(path, value));
    else if (typeof value === "object" && !Array.isArray(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, path ? `${path}.${name}` : name);
    }
  };
  visit(event, "");
  return keys;
}

const digestValue = (path: string, value: unknown) =>
  createHash("sha1")
    .update(`${path}=${JSON.stringify(value)}`)
    .digest("base64url");
