const units = [
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Returns a wait in exact words: "30 seconds", "2 minutes 30 seconds", "72 hours". */
export function formatWait(seconds: number): string {
  let remaining = seconds;
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(remaining / length);
    remaining -= count * length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  return parts.join(" ") || "0 seconds";
}
