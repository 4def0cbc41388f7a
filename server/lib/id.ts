import { v7, validate } from "uuid";

const RANDOM_BYTES = 16;
/** Random bytes for many ids: asking the system for those of one id takes longer than the rest of making it. */
const pool = new Uint8Array(256 * RANDOM_BYTES);
let used = pool.length;

function takeRandom(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  return pool.subarray(used, (used += RANDOM_BYTES));
}

const MAX_SEQUENCE = 2 ** 32 - 1;
let msecs = 0;
let seq = 0;

/**
 * Returns a new UUID of version 7, which sorts by time, so that the newest rows are adjacent in every index. It is higher
 * than all earlier ones of this process.
 */
export function newId(): string {
  const random = takeRandom();
  const now = Date.now();
  if (now > msecs || seq === MAX_SEQUENCE) {
    msecs = Math.max(now, msecs + 1);
    // Half of the range is left for further ids of this millisecond.
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else seq += 1;
  return v7({ random, msecs, seq });
}

/** Returns the lowest possible id of this time. */
export const lowestIdAt = (time: Date): string =>
  v7({ msecs: Math.max(time.getTime(), 0), seq: 0, random: new Uint8Array(16) });

/** Returns whether a text is an id. Callers answer 404 for any other, without a query. */
export const isId = (value: string): boolean => validate(value);

/** The lowest id, which nothing has. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** A pattern for ids within a text, also in a regular expression of Postgres. */
export const UUID_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Returns SQL for `lowestIdAt` of an expression. */
export const lowestIdSql = (time: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;
