import { numberFormatter } from "./numbers";

const wholly = numberFormatter(0);
const roughly = numberFormatter(1);
const units = ["bytes", "KiB", "MiB", "GiB"];

/** Returns a size in words: "512 bytes", "1.5 MiB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${(amount < 10 ? roughly : wholly)(amount)} ${units[power]}`;
}
