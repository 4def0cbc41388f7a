/** The longest delay of `setTimeout`, which fires at once for a longer one. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` with a signal that aborts with the given one, if any, and with a TimeoutError after `ms`. It uses its own
 * timer, because a signal of `AbortSignal.timeout` within `AbortSignal.any` can be collected before it fires.
 */
export async function withTimeout<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException("The time is up.", "TimeoutError")),
    Math.min(ms, MAX_TIMER_MS),
  );
  try {
    return await work(outer ? AbortSignal.any([outer, controller.signal]) : controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
