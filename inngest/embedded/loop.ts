interface Loop {
  /** Requests a tick: now, or after the current one. */
  wake(this: void): void;
  /** Resolves when no tick runs. */
  rest(): Promise<void>;
  /** Runs one last tick and no more. */
  end(): Promise<void>;
}

const RETRY_MS = 1_000;

/**
 * Runs ticks one at a time: when woken, and after the milliseconds that the last tick returned. A tick that fails is
 * repeated after a second; `onError` is called once, until a tick succeeds again.
 */
export function createLoop(tick: () => Promise<number>, onError: (error: unknown) => void): Loop {
  let current: Promise<void> | null = null;
  let isWoken = false;
  let hasEnded = false;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;

  const runTick = async () => {
    try {
      const pauseMs = await tick();
      hasFailed = false;
      return pauseMs;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
      isWoken = false;
      return RETRY_MS;
    }
  };
  const runTicks = async () => {
    while (isWoken) {
      isWoken = false;
      const pauseMs = await runTick();
      clearTimeout(timer);
      if (hasEnded) return;
      if (pauseMs === 0) isWoken = true;
      else timer = setTimeout(wake, pauseMs);
    }
  };
  const wake = () => {
    if (hasEnded) return;
    isWoken = true;
    current ??= runTicks().finally(() => (current = null));
  };
  const rest = async () => {
    await current;
  };
  return {
    wake,
    rest,
    async end() {
      await rest();
      wake();
      hasEnded = true;
      await rest();
      clearTimeout(timer);
    },
  };
}
