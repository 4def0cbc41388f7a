import { createHmac } from "node:crypto";
import type { HubParts } from "../../context";
import { array, float8, int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { createBatcher } from "../../lib/batch";
import { ROUNDING_MS } from "../../lib/bucket";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";

/** What one process does with a bucket. */
interface Use {
  /** Its name and key. */
  bucket: string;
  /** Tokens that the process has let its callers take; negative if it puts some back. */
  taken: number;
  /** Tokens to take only if the bucket has them. */
  wanted: 0 | 1;
  stepMs: number;
  windowMs: number;
}

/** The state of a bucket over all processes: milliseconds until it is full, and the tokens granted to this use. */
interface Shared {
  granted: number;
  usedMs: number;
}

/** Adds a use to the bucket in the database. Returns null if the database fails. */
export type ShareTokens = (use: Use) => Promise<Shared | null>;

export type SharingParts = Pick<HubParts, "db" | "isStopping" | "log" | "now" | "secret">;

const MAX_USES = 1_000;
// The sweep removes rows of full buckets, so a row may vanish between its insertion and its update.
const MAX_ATTEMPTS = 3;

/** Returns a function that shares the uses of buckets, in one statement for all concurrent ones. */
export function createTokenSharing(hub: SharingParts): ShareTokens {
  const share = createBatcher<Use, Shared>((uses) => shareUses(hub, uses), {
    maxItems: MAX_USES,
    limiter: createConcurrencyLimit(1),
  });
  let isFailing = false;
  return async (use) => {
    try {
      const shared = await share(use);
      isFailing = false;
      return shared;
    } catch (error) {
      // A process that stops closes its database, which is not worth a warning.
      if (!isFailing && !hub.isStopping)
        hub.log.warn({ err: error }, "rate limits could not be shared with other processes");
      isFailing = true;
      return null;
    }
  };
}

async function shareUses(hub: SharingParts, uses: Use[]): Promise<Shared[]> {
  const sums = new Map<string, Use>();
  for (const { bucket, taken, wanted, ...rest } of uses) {
    const sum = sums.get(bucket);
    sums.set(bucket, { bucket, ...rest, taken: (sum?.taken ?? 0) + taken, wanted: (sum?.wanted ?? 0) + wanted } as Use);
  }
  const shared = await updateAll(hub, [...sums.values()]);
  // The granted tokens go to the first uses that want one.
  return uses.map(({ bucket, wanted }) => {
    const sum = shared.get(bucket)!;
    const granted = Math.min(sum.granted, wanted);
    sum.granted -= granted;
    return { granted, usedMs: sum.usedMs };
  });
}

async function updateAll(hub: SharingParts, uses: Use[]): Promise<Map<string, Shared>> {
  const shared = new Map<string, Shared>();
  const missing = new Map(uses.map((use) => [toId(hub, use.bucket), use]));
  for (let attempt = 1; missing.size > 0; attempt += 1) {
    if (attempt > MAX_ATTEMPTS) throw new Error("rate limit rows vanish as fast as they are inserted");
    const now = hub.now();
    const [ids, batch] = [[...missing.keys()], [...missing.values()]];
    if (attempt > 1) await insertFullBuckets(hub.db, ids, now);
    const rows = await updateBuckets(
      hub.db,
      ids,
      batch.map(({ taken, stepMs }) => taken * stepMs),
      batch.map(({ wanted }) => wanted),
      batch.map(({ stepMs }) => stepMs),
      batch.map(({ windowMs }) => windowMs),
      now,
    );
    for (const { id, granted, used_ms } of rows) {
      shared.set(missing.get(id)!.bucket, { granted, usedMs: used_ms });
      missing.delete(id);
    }
  }
  return shared;
}

/** Returns the id of a bucket. It reveals no e-mail or network address without the hub's secret. */
const toId = (hub: SharingParts, bucket: string): string =>
  createHmac("sha256", hub.secret)
    .update(`rate limit ${bucket}`)
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

const insertFullBuckets = statement({
  params: [array(uuid), timestamptz],
  row: {},
  text: `INSERT INTO rate_limit (id, full_at) SELECT id, $2 FROM unnest($1::uuid[]) AS missing (id) ORDER BY id
    ON CONFLICT (id) DO NOTHING`,
});

// A bucket takes more than twice its window to fill only after a clock was set back.
const updateBuckets = statement({
  params: [array(uuid), array(float8), array(int4), array(float8), array(float8), timestamptz],
  row: { id: uuid, granted: int4, used_ms: float8 },
  text: `
    WITH use AS (
      SELECT * FROM unnest($1::uuid[], $2::float8[], $3::integer[], $4::float8[], $5::float8[])
        AS use (id, taken_ms, wanted, step_ms, window_ms)
    ), locked AS (
      SELECT id, extract(epoch FROM full_at - $6)::float8 * 1000 AS used_ms FROM rate_limit
      WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
    ), taken AS (
      SELECT use.*, greatest(0,
        greatest(0, CASE WHEN used_ms > 2 * window_ms THEN window_ms ELSE used_ms END) + taken_ms) AS used_ms
      FROM locked JOIN use USING (id)
    ), granted AS (
      SELECT id, used_ms, step_ms,
        greatest(0, least(wanted, floor((window_ms - used_ms + ${ROUNDING_MS}) / step_ms)))::integer AS granted
      FROM taken
    )
    UPDATE rate_limit SET full_at = $6::timestamptz + (used_ms + granted * step_ms) * interval '1 millisecond'
    FROM granted WHERE rate_limit.id = granted.id
    RETURNING granted.id, granted.granted, granted.used_ms + granted.granted * granted.step_ms AS used_ms`,
});

/** Removes buckets that are full. */
export const purgeFullBuckets = async (hub: SharingParts): Promise<number> =>
  (await deleteFullBuckets(hub.db, hub.now())).length;

const deleteFullBuckets = statement({
  params: [timestamptz],
  row: { id: uuid },
  text: "DELETE FROM rate_limit WHERE full_at < $1 RETURNING id",
});
