interface Scheduled {
  next_attempt_at: string | null;
}

const SOON_MS = 60_000;

/** Returns the poll interval in ms: short while an attempt is due, long while one is scheduled, else false. */
export function pollWhilePending(deliveries: Scheduled[]): number | false {
  const due = deliveries.flatMap(({ next_attempt_at }) => (next_attempt_at ? [Date.parse(next_attempt_at)] : []));
  if (due.length === 0) return false;
  return Math.min(...due) < Date.now() + SOON_MS ? 2_000 : 30_000;
}
