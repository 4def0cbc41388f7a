import { type Measured, quantile } from "./load";

/** How many times as long an action may take in the large database as in the small one. */
export const MAX_GROWTH = 1.3;

const formatFigure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

export function printLoad(name: string, { perSecond, p50, p99 }: Measured): void {
  printLine(
    `  ${name.padEnd(48)} ${formatFigure(perSecond).padStart(8)}/s   p50 ${formatFigure(p50).padStart(6)} ms   p99 ${formatFigure(p99).padStart(6)} ms`,
  );
}

/** Prints how times in milliseconds are distributed. */
export function printTimes(name: string, times: number[]): void {
  const [p50, p99, max] = [0.5, 0.99, 1].map((q) => formatFigure(quantile(times, q)));
  printLine(`  ${name.padEnd(20)} ${times.length} times, p50 ${p50} ms   p99 ${p99} ms   max ${max} ms`);
}

/** Prints a result beside its limit, and adds it to `missedBounds` if it is beyond that. */
export function checkBound(name: string, value: number, test: "at least" | "at most", limit: number, unit = ""): void {
  const isMet = test === "at least" ? value >= limit : value <= limit;
  if (!isMet) missedBounds.push(name);
  printLine(`  ${isMet ? "✓" : "✗"} ${name.padEnd(62)} ${value.toFixed(2)}${unit} (${test} ${limit}${unit})`);
}

export const missedBounds: string[] = [];
export const printTitle = (text: string): void => printLine(`\n${text}`);
export const printLine = (text: string): void => void process.stdout.write(`${text}\n`);
