const MAX_PAUSE_S = 600;

/** When a failed try is repeated: when it asked for, else after 1, 2, 4, … seconds and up to a fifth more. */
export function retryAt(attempt: number, retryAfter: string | null, now: Date): Date {
  const asked = retryAfter === null ? NaN : seconds(retryAfter, now);
  const pause = Math.min(2 ** attempt, MAX_PAUSE_S) * (1 + Math.random() / 5);
  return new Date(now.getTime() + 1000 * (Number.isNaN(asked) ? pause : Math.max(0, asked)));
}

const seconds = (text: string, now: Date): number =>
  /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
