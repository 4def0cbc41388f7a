import { format } from "node:util";
import type { Logger } from "../lib/log";

const METHODS = { error: "error", warn: "warn", info: "debug", log: "debug", debug: "debug" } as const;
const ESCAPES = /\u001b\[[\d;]*m/g;

/** Writes what libraries print by themselves to the log: operators read and parse its lines. */
export function routeConsole(log: Logger): void {
  for (const [method, level] of Object.entries(METHODS) as [keyof typeof METHODS, "error" | "warn" | "debug"][]) {
    console[method] = (...values: unknown[]) =>
      log[level](
        format(...values)
          .replaceAll(ESCAPES, "")
          .trim(),
      );
  }
  process.removeAllListeners("warning").on("warning", (warning) => log.warn({ err: warning }, "a warning of Node"));
}
