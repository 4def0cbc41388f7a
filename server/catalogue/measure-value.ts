import { isStorable } from "../lib/json/storable";

interface Measurement {
  /** Number of values, including the measured one. */
  count: number;
  depth: number;
  /** Whether Postgres can store every string: no NUL, no lone surrogate. */
  storable: boolean;
}

/** Returns the size of a value. Stops once either limit is exceeded, so that cycles and huge lists end. */
export function measureValue(value: unknown, maxCount: number, maxDepth = Infinity): Measurement {
  const total: Measurement = { count: 0, depth: 0, storable: true };
  const visit = (next: unknown, depth: number): boolean => {
    total.count += 1;
    total.depth = Math.max(total.depth, depth);
    if (total.count > maxCount || total.depth > maxDepth) return false;
    if (typeof next === "string") total.storable &&= isStorable(next);
    if (typeof next !== "object" || next === null) return true;
    if (Array.isArray(next)) return next.every((inner) => visit(inner, depth + 1));
    for (const name of Object.keys(next)) {
      total.storable &&= isStorable(name);
      if (!visit((next as Record<string, unknown>)[name], depth + 1)) return false;
    }
    return true;
  };
  visit(value, 1);
  return total;
}
