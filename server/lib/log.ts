import { formatWithOptions } from "node:util";
import pino from "pino";
import type { Env } from "../env";

export type Logger = pino.Logger;

/** Returns a logger that writes JSON lines to stderr; stdout is for what commands print for people and scripts. */
export const createLog = (env: Pick<Env, "LOG_LEVEL">): Logger =>
  pino(
    { level: env.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );

/** Has what Next and other libraries print on the console written as lines of the log, so that stderr holds nothing else. */
export function logLibraryOutput(log: Logger): void {
  const write =
    (level: "debug" | "warn" | "error") =>
    (first: unknown, ...rest: unknown[]) => {
      const err = [first, ...rest].find((value) => value instanceof Error);
      log[level]({ err, output: formatWithOptions({ colors: false }, first, ...rest) }, "a library printed this");
    };
  const debug = write("debug");
  Object.assign(console, { log: debug, info: debug, debug, trace: debug, warn: write("warn"), error: write("error") });
  process.removeAllListeners("warning").on("warning", (warning) => log.warn({ err: warning }, "a warning of Node"));
}
