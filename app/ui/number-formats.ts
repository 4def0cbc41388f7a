type FormatNumber = (value: number) => string;

/** Returns a formatter of EUR amounts with these minimum and maximum decimal places. */
export const euroFormatter = (minimumFractionDigits: number, maximumFractionDigits: number): FormatNumber =>
  createFormatter({ style: "currency", currency: "EUR", minimumFractionDigits, maximumFractionDigits });

/** Returns a formatter of numbers with at most this many decimal places. */
export const numberFormatter = (maximumFractionDigits: number): FormatNumber =>
  createFormatter({ maximumFractionDigits });

/** Creates the `Intl.NumberFormat` once, because that takes longer than rendering a table row. */
function createFormatter(options: Intl.NumberFormatOptions): FormatNumber {
  const format = new Intl.NumberFormat("en", options);
  return (value) => format.format(value);
}

const wholly = numberFormatter(0);
const roughly = numberFormatter(1);
const units = ["bytes", "KiB", "MiB", "GiB"];

/** Returns a size in words: "512 bytes", "1.5 MiB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${(amount < 10 ? roughly : wholly)(amount)} ${units[power]}`;
}

/** Returns a duration in words: "820 ms", "3.4 s", "2 min 5 s", "1 h 3 min". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(Math.round(ms), 0)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
