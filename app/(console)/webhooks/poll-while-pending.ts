interface Owed {
  next_attempt_at: string | null;
}

const SOON_MS = 60_000;

/** Milliseconds until a page looks again: often while an attempt is due, seldom while one is for later, else never. */
export function pollWhilePending(deliveries: Owed[]): number | false {
  const due = deliveries.flatMap(({ next_attempt_at }) => (next_attempt_at ? [Date.parse(next_attempt_at)] : []));
  if (due.length === 0) return false;
  return Math.min(...due) < Date.now() + SOON_MS ? 2_000 : 30_000;
}
