export interface Loop {
  /** Asks for a round: now, or after the one under way. */
  wake(this: void): void;
  /** Resolves when no round is under way. */
  rest(): Promise<void>;
  /** Runs a last round and no more. */
  end(): Promise<void>;
}

const PAUSE_AFTER_FAULT_MS = 1_000;

/**
 * Runs rounds one at a time: when woken, and when the milliseconds are over that the last one answered. A round that
 * fails is repeated; of a row of failures `onFault` hears the first.
 */
export function createLoop(round: () => Promise<number>, onFault: (error: unknown) => void): Loop {
  let current: Promise<void> | null = null;
  let woken = false;
  let ended = false;
  let faulty = false;
  let timer: NodeJS.Timeout | undefined;

  const attempt = async () => {
    try {
      const pause = await round();
      faulty = false;
      return pause;
    } catch (error) {
      if (!faulty) onFault(error);
      faulty = true;
      woken = false;
      return PAUSE_AFTER_FAULT_MS;
    }
  };
  const runAll = async () => {
    while (woken) {
      woken = false;
      const pause = await attempt();
      clearTimeout(timer);
      if (ended) return;
      if (pause === 0) woken = true;
      else timer = setTimeout(wake, pause);
    }
  };
  const wake = () => {
    if (ended) return;
    woken = true;
    current ??= runAll().finally(() => (current = null));
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
      ended = true;
      await rest();
      clearTimeout(timer);
    },
  };
}
