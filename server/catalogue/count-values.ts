/** How many values a value holds, itself included, and how deep; stops soon after either limit, so that a cycle ends. */
export function countValues(value: unknown, most: number, mostDepth = Infinity): { count: number; depth: number } {
  const seen = { count: 0, depth: 0 };
  const waiting: [unknown, number][] = [[value, 1]];
  while (waiting.length > 0 && seen.count <= most && seen.depth <= mostDepth) {
    const [next, depth] = waiting.pop()!;
    seen.count += 1;
    seen.depth = Math.max(seen.depth, depth);
    if (typeof next === "object" && next !== null)
      for (const inner of Object.values(next)) waiting.push([inner, depth + 1]);
  }
  return seen;
}
