import type { ProviderSettings } from "../../catalogue/model";
import { redactMessage } from "../http/redact";
import type { LogLine } from "../job";

/** How much of the end of a log is read. */
const TAIL_LENGTH = 16 * 1024;
const MAX_LINES = 20;

/** Returns the last complete lines of a log; bars of progress end their lines with a carriage return. */
export function readLogTail(log: string, provider: ProviderSettings): LogLine[] {
  const start = Math.max(0, log.length - TAIL_LENGTH);
  const tail = log.slice(start);
  const length = Math.max(tail.lastIndexOf("\n"), tail.lastIndexOf("\r")) + 1;
  // The first line may have begun before the tail.
  const lines = [...tail.slice(0, length).matchAll(/[^\r\n]+/g)].filter(({ index }) => start === 0 || index > 0);
  return lines
    .slice(-MAX_LINES)
    .map(({ 0: text, index }) => ({ text: redactMessage(text, provider), end: start + index + text.length }));
}

/** A bar of tqdm, which most models show: ` 40%|████      | 8/20`. */
const BAR = /^\s*(\d{1,3})%\|/;

/** Returns the share that the last bar of progress shows; null if there is none. */
export function findProgress(lines: LogLine[]): number | null {
  const bar = lines.map(({ text }) => BAR.exec(text)).findLast((match) => match !== null);
  return bar ? Math.min(1, Number(bar[1]) / 100) : null;
}
