interface Waiting<I, O> {
  item: I;
  resolve(value: O): void;
  reject(error: unknown): void;
}

/**
 * Lets concurrent callers share one call of `work`: what arrives while `lanes` calls are under way goes together
 * into the next one. A lone caller never waits. `work` answers in the order of its items; a rejection reaches
 * every caller of that call.
 */
export function batch<I, O>(
  work: (items: I[]) => Promise<O[]>,
  { most = 100, lanes = 2 } = {},
): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let active = 0;

  const run = async (taken: Waiting<I, O>[]) => {
    active += 1;
    try {
      const answers = await work(taken.map((entry) => entry.item));
      taken.forEach((entry, index) => entry.resolve(answers[index]!));
    } catch (error) {
      for (const entry of taken) entry.reject(error);
    } finally {
      active -= 1;
      next();
    }
  };
  const next = () => {
    if (waiting.length === 0 || active >= lanes) return;
    const taken = waiting.slice(0, most);
    waiting = waiting.slice(most);
    void run(taken);
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Requests that arrive in one turn of the event loop travel together: microtasks run after each of them.
      if (active < lanes) setImmediate(next);
    });
}
