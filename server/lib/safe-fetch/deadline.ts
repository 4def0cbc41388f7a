import { OutboundError } from "./outbound-error";

/**
 * Gives work a signal that fires after `ms`, or with the caller's own. After it has fired the work's failure is the
 * signal's reason: OutboundError `timeout`, or what the caller aborted with.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const late = () => controller.abort(new OutboundError("timeout", `There was no full answer within ${ms / 1000} s.`));
  const canceled = () => controller.abort(outer?.reason);
  const timer = setTimeout(late, ms);
  outer?.addEventListener("abort", canceled, { once: true });
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", canceled);
  }
}

/** The promise's result, or the signal's reason if it fires first. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
