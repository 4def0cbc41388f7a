import { OutboundError } from "./outbound-error";

type SetDeadline = (afterMs?: number, toError?: () => OutboundError) => void;

/**
 * Gives work a signal that fires after `ms`, or with the caller's own. After it has fired the work's failure is the
 * signal's reason: OutboundError `timeout`, or what the caller aborted with. The work may set another deadline, with its error,
 * and start that of `ms` again.
 */
export async function withDeadline<T>(
  ms: number,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal, setDeadline: SetDeadline) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const timeout = () => new OutboundError("timeout", `No complete response within ${ms / 1000} seconds.`);
  let timer: NodeJS.Timeout | undefined;
  const setDeadline: SetDeadline = (afterMs = ms, toError = timeout) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(toError()), afterMs);
  };
  const onOuterAbort = () => controller.abort(callerSignal?.reason);
  setDeadline();
  callerSignal?.addEventListener("abort", onOuterAbort, { once: true });
  try {
    return await work(signal, setDeadline);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener("abort", onOuterAbort);
  }
}

/** Resolves with the promise's result, or rejects with the signal's reason if that aborts first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
