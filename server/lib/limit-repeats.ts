import type { LogFn, Logger } from "pino";
import { isDatabaseUnavailable, isStorageUnavailable } from "./is-unavailable";

const WINDOW_MS = 1_000;

interface Window {
  repeated: number;
  writeLast(): void;
}

/**
 * Returns pino's hook that writes lines about an unavailable database or a full storage once a second for each message, with
 * the number of those that were left out as `repeated`: a busy hub would otherwise log a stack for each request.
 */
export function limitRepeats() {
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
  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
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
