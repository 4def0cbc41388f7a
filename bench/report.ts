import type { Measured } from "./load";

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

export function line(name: string, { perSecond, p50, p99 }: Measured): void {
  print(
    `  ${name.padEnd(48)} ${round(perSecond).padStart(8)}/s   p50 ${round(p50).padStart(6)} ms   p99 ${round(p99).padStart(6)} ms`,
  );
}

/** A promise of the benchmark: printed beside its bound, remembered for the exit code. */
export function bound(name: string, value: number, test: "at least" | "at most", limit: number, unit = ""): void {
  const kept = test === "at least" ? value >= limit : value <= limit;
  if (!kept) broken.push(name);
  print(`  ${kept ? "✓" : "✗"} ${name.padEnd(62)} ${value.toFixed(2)}${unit} (${test} ${limit}${unit})`);
}

export const broken: string[] = [];
export const title = (text: string): void => print(`\n${text}`);
export const print = (text: string): void => void process.stdout.write(`${text}\n`);
