import { createHash } from "node:crypto";
import { type Condition, isScalar, scalarAt } from "./expression";

/** The key of waits that any event of their name may end. */
const ANY = "";

/**
 * One value of the awaited event that must agree, as a digest: it finds the waits an event may end without reading
 * the others. Null when the condition can never hold, because the run's own event lacks the value.
 */
export function waitKey(condition: Condition, event: unknown): string | null {
  for (const [left, right] of condition) {
    const [theirs, ours] = "root" in left && left.root === "async" ? [left, right] : [right, left];
    if (!("root" in theirs) || theirs.root !== "async" || ("root" in ours && ours.root === "async")) continue;
    const value = "root" in ours ? scalarAt(event, ours.path) : ours.value;
    return value === undefined ? null : digest(theirs.path.join("."), value);
  }
  return ANY;
}

/** Every key under which a wait for this event may stand. */
export function keysOf(event: object): string[] {
  const keys = [ANY];
  const visit = (value: unknown, path: string) => {
    if (isScalar(value)) keys.push(digest(path, value));
    else if (typeof value === "object" && !Array.isArray(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, path ? `${path}.${name}` : name);
    }
  };
  visit(event, "");
  return keys;
}

const digest = (path: string, value: unknown) =>
  createHash("sha1")
    .update(`${path}=${JSON.stringify(value)}`)
    .digest("base64url");
