const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Returns a size for people, such as "512 bytes" or "1.5 MiB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
