interface Options {
  intervalMs: number;
  /** Whether there is nothing to do until the next `start`. */
  isIdle: () => boolean;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
}

interface Ticker {
  /** Runs the work once more. Concurrent callers share a run that begins after all of their calls. Rejects when it fails. */
  tick(): Promise<void>;
  /** Runs the work once more, and reports an error. */
  hint(): void;
  /** Runs the work again and again until there is nothing to do. */
  start(): void;
}

/** Returns a ticker, whose runs never overlap. */
export function createTicker({ intervalMs, isIdle, work, onError }: Options): Ticker {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const tick = () =>
    (next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return (running = work());
      }));
  const repeat = async () => {
    await tick().catch(onError);
    timer = undefined;
    start();
  };
  const start = () => {
    if (!isIdle()) timer ??= setTimeout(() => void repeat(), intervalMs).unref();
  };
  return { tick, start, hint: () => void tick().catch(onError) };
}
