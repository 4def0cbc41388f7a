interface DeferredWrite {
  /** Writes after the delay, unless a write is due already. */
  schedule: () => void;
  /** Writes now, after a write that is under way. */
  flush: () => Promise<void>;
}

/** Returns a write that happens at most once in `delayMs`, and never twice at a time. `write` must not reject. */
export function createDeferredWrite(write: () => Promise<void>, delayMs: number): DeferredWrite {
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    return (writing = writing.then(write));
  };
  const schedule = () => {
    timer ??= setTimeout(() => void flush(), delayMs).unref();
  };
  return { schedule, flush };
}
