const units = [
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A wait in words, exactly: "30 seconds", "2 minutes 30 seconds", "72 hours". */
export function formatWait(seconds: number): string {
  let left = seconds;
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  return parts.join(" ") || "0 seconds";
}
