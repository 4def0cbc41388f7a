const BUSY_MS = 2_000;

/** Milliseconds until a list looks again: soon while something in it is unfinished, else after `quiet`. */
export const pollWhileActive = <Quiet>(generations: { completed_at: string | null }[], quiet: Quiet): number | Quiet =>
  generations.some(({ completed_at }) => completed_at === null) ? BUSY_MS : quiet;
