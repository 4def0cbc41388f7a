const ACTIVE_POLL_INTERVAL_MS = 2_000;

/** Returns the poll interval of a list in ms: short while a generation is unfinished, else `idle`. */
export const pollWhileActive = <Idle>(generations: { completed_at: string | null }[], idle: Idle): number | Idle =>
  generations.some(({ completed_at }) => completed_at === null) ? ACTIVE_POLL_INTERVAL_MS : idle;
