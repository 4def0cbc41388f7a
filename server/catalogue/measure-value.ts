import { isStorable } from "../lib/json/storable";

export interface Measure {
  /** Values it holds, itself included. */
  count: number;
  depth: number;
  /** Whether every text in it can be stored: no NUL, no half of a surrogate pair. */
  storable: boolean;
}

/** Returns how much a value holds. Stops at the first value over either limit, so that a cycle or a wide list ends. */
export function measureValue(value: unknown, maxCount: number, maxDepth = Infinity): Measure {
  const seen: Measure = { count: 0, depth: 0, storable: true };
  const visit = (next: unknown, depth: number): boolean => {
    seen.count += 1;
    seen.depth = Math.max(seen.depth, depth);
    if (seen.count > maxCount || seen.depth > maxDepth) return false;
    if (typeof next === "string") seen.storable &&= isStorable(next);
    if (typeof next !== "object" || next === null) return true;
    if (Array.isArray(next)) return next.every((inner) => visit(inner, depth + 1));
    for (const name of Object.keys(next)) {
      seen.storable &&= isStorable(name);
      if (!visit((next as Record<string, unknown>)[name], depth + 1)) return false;
    }
    return true;
  };
  visit(value, 1);
  return seen;
}
