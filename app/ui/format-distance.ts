const units = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Returns a relative time: "3 minutes ago", "in 2 days", or "just now" within a minute. */
export function formatDistance(ms: number): string {
  const [unit, length] = units.find(([, size]) => Math.abs(ms) >= size) ?? [];
  if (!unit) return ms > 0 ? "in a moment" : "just now";
  return words.format(Math.trunc(ms / length), unit);
}
