import { formatWithOptions } from "node:util";
import pino from "pino";
import type { Env } from "../env";
import { isDatabaseUnavailable, isStorageUnavailable } from "./is-unavailable";

export type Logger = pino.Logger;

/** Members that never reach the log, at the top of a line or one level below, whatever a caller passes. */
const SECRET_MEMBERS = ["authorization", "cookie", "password", "secret", "token", "apiKey", "prompt", "input"];

/**
 * Returns a logger that writes JSON lines to stderr; stdout is for what commands print for people and scripts. A line
 * that is written in a span contains the id of its trace. Lines about an outage are written once a second.
 */
export const createLog = (
  env: Pick<Env, "LOG_LEVEL">,
  findTraceId: () => string | undefined = () => undefined,
  destination: pino.DestinationStream = pino.destination({ fd: 2, sync: false }),
): Logger =>
  pino(
    {
      level: env.LOG_LEVEL,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
      hooks: { logMethod: limitRepeats() },
      mixin: () => {
        const traceId = findTraceId();
        return traceId === undefined ? {} : { trace_id: traceId };
      },
    },
    destination,
  );

/** Redirects what Next and other libraries print on the console to the log, so that stderr has nothing else. */
export function logLibraryOutput(log: Logger): void {
  const write =
    (level: "debug" | "warn" | "error") =>
    (first: unknown, ...rest: unknown[]) => {
      const err = [first, ...rest].find((value) => value instanceof Error);
      log[level]({ err, output: formatWithOptions({ colors: false }, first, ...rest) }, "a library printed this");
    };
  const debug = write("debug");
  Object.assign(console, { log: debug, info: debug, debug, trace: debug, warn: write("warn"), error: write("error") });
  logWarnings(log);
}

/** Redirects the warnings of Node and of libraries, which Node would print, to the log. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners("warning").on("warning", (warning) => log.warn({ err: warning }, "a warning of Node"));
}

const WINDOW_MS = 1_000;

interface Window {
  repeated: number;
  writeLast(): void;
}

/**
 * Returns pino's hook that writes lines about an unavailable database or a full storage once a second for each message, with
 * the number of those that were left out as `repeated`: a busy hub would otherwise log a stack for each request.
 */
function limitRepeats() {
  const windows = new Map<unknown, Window>();
  const open = (message: unknown) => {
    const window: Window = { repeated: 0, writeLast: () => undefined };
    windows.set(message, window);
    setTimeout(() => {
      windows.delete(message);
      if (window.repeated === 0) return;
      window.writeLast();
      // The line that was just written starts the next second.
      open(message);
    }, WINDOW_MS).unref();
  };
  return function logMethod(this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
    const [members, message] = args as unknown as [unknown, unknown];
    if (!isOutage(members)) return method.apply(this, args);
    const window = windows.get(message);
    if (!window) {
      open(message);
      return method.apply(this, args);
    }
    window.repeated += 1;
    window.writeLast = () => method.call(this, { ...members, repeated: window.repeated }, message as string);
  };
}

function isOutage(members: unknown): members is { err: unknown } {
  if (typeof members !== "object" || members === null || !("err" in members)) return false;
  const { err } = members;
  return (
    isDatabaseUnavailable(err) || isStorageUnavailable(err) || (err instanceof Error && isStorageUnavailable(err.cause))
  );
}
