export interface Measure {
  /** Values it holds, itself included. */
  count: number;
  depth: number;
  /** Whether every text in it can be stored: no NUL, no half of a surrogate pair. */
  storable: boolean;
}

/** How much a value holds. Stops soon after either limit, so that a cycle ends. */
export function measure(value: unknown, most: number, mostDepth = Infinity): Measure {
  const seen: Measure = { count: 0, depth: 0, storable: true };
  const waiting: [unknown, number][] = [[value, 1]];
  while (waiting.length > 0 && seen.count <= most && seen.depth <= mostDepth) {
    const [next, depth] = waiting.pop()!;
    seen.count += 1;
    seen.depth = Math.max(seen.depth, depth);
    if (typeof next === "string") seen.storable &&= isStorable(next);
    if (typeof next !== "object" || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      seen.storable &&= isStorable(name);
      waiting.push([inner, depth + 1]);
    }
  }
  return seen;
}

const isStorable = (text: string) => !/\0|\p{Surrogate}/u.test(text);
