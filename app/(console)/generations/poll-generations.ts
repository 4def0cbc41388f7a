const ACTIVE_POLL_INTERVAL_MS = 2_000;

const NEW_POLL_INTERVAL_MS = 700;
const NEW_MS = 5_000;

/** The interval for a single generation, which somebody waits for. */
const SINGLE_POLL_INTERVAL_MS = 1_000;

/** In case a stream that is followed live has missed something. */
const LIVE_POLL_INTERVAL_MS = 15_000;

interface Work {
  completed_at: string | null;
}

/**
 * Returns the poll interval of a list in ms: short while a generation is unfinished, shorter while one is new, else `idle`. While
 * they are followed live, only chats are polled that often, because no stream has their progress.
 */
export function pollWhileActive<Idle>(
  generations: (Work & { created_at: string; is_llm: boolean })[],
  idle: Idle,
  isLive: boolean,
): number | Idle {
  const unfinished = generations.filter(({ completed_at }) => completed_at === null);
  if (unfinished.length === 0) return idle;
  if (isLive && unfinished.every(({ is_llm }) => !is_llm)) return LIVE_POLL_INTERVAL_MS;
  const isNew = unfinished.some(({ created_at }) => Date.now() - Date.parse(created_at) < NEW_MS);
  return isNew ? NEW_POLL_INTERVAL_MS : ACTIVE_POLL_INTERVAL_MS;
}

/** Returns the poll interval of one generation in ms; false when it has ended. */
export function pollUntilEnd(generation: Work | undefined, isLive: boolean): number | false {
  if (generation?.completed_at) return false;
  return isLive ? LIVE_POLL_INTERVAL_MS : SINGLE_POLL_INTERVAL_MS;
}

/** Returns the poll interval of batches in ms: short while one is unfinished and not followed live, `idle` once all have ended. */
export function pollBatches<Idle>(batches: Work[], idle: Idle, isLive: boolean): number | Idle {
  if (batches.every(({ completed_at }) => completed_at !== null)) return idle;
  return isLive ? LIVE_POLL_INTERVAL_MS : ACTIVE_POLL_INTERVAL_MS;
}
