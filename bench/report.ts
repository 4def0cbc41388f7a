import type { Measured } from "./load";

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

export function line(name: string, { perSecond, p50, p99 }: Measured): void {
  printLine(
    `  ${name.padEnd(48)} ${round(perSecond).padStart(8)}/s   p50 ${round(p50).padStart(6)} ms   p99 ${round(p99).padStart(6)} ms`,
  );
}

/** Prints a result beside its limit and records it in `broken` if it exceeds that. */
export function checkBound(name: string, value: number, test: "at least" | "at most", limit: number, unit = ""): void {
  const kept = test === "at least" ? value >= limit : value <= limit;
  if (!kept) broken.push(name);
  printLine(`  ${kept ? "✓" : "✗"} ${name.padEnd(62)} ${value.toFixed(2)}${unit} (${test} ${limit}${unit})`);
}

export const broken: string[] = [];
export const title = (text: string): void => printLine(`\n${text}`);
export const printLine = (text: string): void => void process.stdout.write(`${text}\n`);
