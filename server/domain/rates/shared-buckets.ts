import { type BucketOptions, type BucketResult, createBuckets } from "../../lib/bucket";
import type { ShareTokens } from "./share-tokens";

interface Owner {
  now: () => Date;
  shareTokens: ShareTokens;
}

/** Tokens of a bucket that the other processes do not know of yet. */
interface Unshared {
  /** Taken since the last statement, minus those put back. */
  unsent: number;
  /** In a statement that has not ended. */
  sent: number;
}

const SHARE_INTERVAL_MS = 2_000;
// Each other process may exceed a limit by this share, so five of them exceed it by 5 %.
const MAX_UNSHARED_PART = 0.01;

export type SharedBuckets<Key> = ReturnType<typeof createSharedBuckets<Key & (string | number)>>;

/**
 * Returns token buckets by key that all processes on a database share. Each process counts in memory and adds its sums to
 * the database every two seconds. Once it has taken a hundredth of a bucket (at least one token) that the others do not know
 * of, it takes the next token in the database. So small limits are exact, and others are exceeded by at most 1 % for each
 * other process. While the database is unavailable, each process counts alone.
 */
export function createSharedBuckets<Key extends string | number>(
  { now, shareTokens }: Owner,
  name: string,
  capacity: number,
  options?: BucketOptions,
) {
  const buckets = createBuckets<Key>(capacity, options);
  const { stepMs, windowMs } = buckets;
  const maxUnsent = Math.max(1, Math.floor(capacity * MAX_UNSHARED_PART));
  const unshared = new Map<Key, Unshared>();
  let timer: NodeJS.Timeout | undefined;

  const add = (key: Key, tokens: number): Unshared => {
    const counts = unshared.get(key) ?? { unsent: 0, sent: 0 };
    counts.unsent += tokens;
    unshared.set(key, counts);
    timer ??= setTimeout(shareAll, SHARE_INTERVAL_MS).unref();
    return counts;
  };

  /** Adds what was taken from a bucket to the database, and takes `wanted` tokens if they are there. */
  const share = async (key: Key, counts: Unshared, wanted: 0 | 1): Promise<boolean> => {
    const taken = counts.unsent;
    counts.unsent = 0;
    counts.sent += taken + wanted;
    const shared = await shareTokens({ bucket: `${name} ${key}`, taken, wanted, stepMs, windowMs });
    counts.sent -= taken + wanted;
    if (!shared) {
      add(key, taken + wanted);
      return true;
    }
    const time = now().getTime();
    buckets.setFullAt(key, time + shared.usedMs + (counts.unsent + counts.sent) * stepMs, time);
    if (counts.unsent === 0 && counts.sent === 0) unshared.delete(key);
    return shared.granted === wanted;
  };

  const shareAll = () => {
    timer = undefined;
    for (const [key, counts] of unshared) if (counts.unsent !== 0) void share(key, counts, 0);
  };

  return {
    /** Returns the milliseconds until there is a token, as far as this process knows; zero if there is one. */
    waitMs: (key: Key): number => buckets.peek(key, now().getTime()).waitMs,
    async consume(key: Key): Promise<BucketResult> {
      const result = buckets.consume(key, now().getTime());
      if (!result.allowed) return result;
      const counts = unshared.get(key) ?? add(key, 0);
      if (counts.unsent + counts.sent + 1 < maxUnsent) {
        add(key, 1);
        return result;
      }
      const allowed = await share(key, counts, 1);
      return { allowed, ...buckets.peek(key, now().getTime()) };
    },
    /** Puts back a token. */
    refund(key: Key): void {
      buckets.refund(key);
      add(key, -1);
    },
  };
}
