import type { HubParts } from "../../context";
import { array, int4, int8Number, jsonb, nullable, text, textOf, uuid } from "../../db/column-types";
import { asyncCommitSql } from "../../db/durability";
import { statement } from "../../db/statement";
import { type Batcher, createBatcher } from "../../lib/batch";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import type { RateLimit } from "../../lib/rate-view";
import type { SharingParts } from "./share-tokens";

/** How much a key or an account may use in any 60 consecutive seconds. */
export interface KeyLimit {
  /** The id of a key, or that of `accountRateId`. */
  keyId: string;
  unit: RateLimit["unit"];
  quota: number;
}

interface Use extends KeyLimit {
  amount: number;
}

/** The outcome of a use. */
export interface Taken extends Pick<RateLimit, "allowed" | "remaining" | "waitMs"> {
  /** The second that the use counts in. */
  second: number;
}

/** Returns the id under which the use of an account is counted, which no key has. */
export const accountRateId = (accountId: number): string =>
  `00000000-0000-0000-0000-${accountId.toString(16).padStart(12, "0")}`;

/** Returns SQL for `accountRateId` of an expression. */
export const accountRateIdSql = (accountId: string): string =>
  `('00000000-0000-0000-0000-' || lpad(to_hex(${accountId}), 12, '0'))::uuid`;

/** The tokens that a chat in progress has reserved of a limit of its key or account. */
export interface Reservation {
  keyId: string;
  second: number;
  tokens: number;
}

/** The services for the limits of keys that the requests of one process share. */
export interface KeyRates {
  /** Counts a use unless the limit would be exceeded. */
  take: Batcher<Use, Taken>;
  /** Changes what was counted in a second, as long as that second counts. Never throws. */
  correct: (limit: Omit<KeyLimit, "quota">, second: number, change: number) => Promise<void>;
}

const WINDOW_S = 60;
/** Seconds further in the future come from a process whose clock was wrong, and are ignored. */
const MAX_AHEAD_S = 60;

/**
 * Returns the counters of keys' usage over the last 60 seconds, which all processes share: each limit has one row with the
 * amounts by second. Uses of one statement are atomic, so a limit is exact whatever comes at the same time (decision 110).
 */
export const createKeyRates = (hub: SharingParts): KeyRates => ({
  take: createBatcher((uses) => takeAll(hub, uses), { maxItems: 1_000, limiter: createConcurrencyLimit(1) }),
  async correct({ keyId, unit }, second, change) {
    if (change === 0) return;
    try {
      await correctSecond(hub.db, keyId, unit, String(second), change);
    } catch (error) {
      // The second stops counting within a minute.
      hub.log.warn({ err: error }, "rate limit usage not corrected");
    }
  },
});

type RateParts = Pick<HubParts, "db" | "now">;
/** Amounts by second, in Unix time. */
type Seconds = Record<string, number>;

const nameOf = ({ keyId, unit }: Pick<Use, "keyId" | "unit">) => `${unit} ${keyId}`;

/** Counts uses of any keys. All uses of a limit are counted at once, or as many as it has room for, the first ones first. */
async function takeAll(hub: RateParts, uses: Use[]): Promise<Taken[]> {
  const groups = new Map<string, Use[]>();
  for (const use of uses) {
    const group = groups.get(nameOf(use));
    if (group) group.push(use);
    else groups.set(nameOf(use), [use]);
  }
  const time = hub.now().getTime();
  const taken = await takeSums(hub, [...groups.values()], time);
  const results = new Map<Use, Taken>();
  for (const [name, group] of groups) {
    const seconds = taken.get(name);
    if (seconds) for (const use of group) results.set(use, describe(use, { allowed: true, seconds, time }));
    else for (const [use, result] of await takeFitting(hub, group)) results.set(use, result);
  }
  return uses.map((use) => results.get(use)!);
}

/** Adds the sum of each group to its limit. Returns the amounts of the limits that had room for all of their uses. */
async function takeSums(hub: RateParts, groups: Use[][], time: number): Promise<Map<string, Seconds>> {
  // The newest request knows the newest quota.
  const sums = groups.map((group) => ({
    ...group.at(-1)!,
    amount: group.reduce((sum, { amount }) => sum + amount, 0),
  }));
  const second = toSecond(time);
  const rows = await addToSeconds(
    hub.db,
    sums.map(({ keyId }) => keyId),
    sums.map(({ unit }) => unit),
    sums.map(({ amount }) => amount),
    sums.map(({ quota }) => quota),
    String(second),
    second - WINDOW_S,
    second + MAX_AHEAD_S,
  );
  return new Map(rows.map(({ key_id, unit, seconds }) => [nameOf({ keyId: key_id, unit }), seconds]));
}

/** Counts the uses of one limit that has no room for all of them. */
async function takeFitting(hub: RateParts, group: Use[]): Promise<Map<Use, Taken>> {
  let time = hub.now().getTime();
  let seconds = await readSeconds(hub, group[0]!);
  let { remaining } = describe(group.at(-1)!, { allowed: false, seconds, time });
  const fitting = group.filter(({ amount }) => {
    if (amount > remaining) return false;
    remaining -= amount;
    return true;
  });
  const results = new Map<Use, Taken>();
  if (fitting.length > 0) {
    for (const [index, result] of (await takeAll(hub, fitting)).entries()) results.set(fitting[index]!, result);
    time = hub.now().getTime();
    seconds = await readSeconds(hub, group[0]!);
  }
  for (const use of group) if (!results.has(use)) results.set(use, describe(use, { allowed: false, seconds, time }));
  return results;
}

const readSeconds = async (hub: RateParts, { keyId, unit }: Use): Promise<Seconds> =>
  (await selectSeconds(hub.db, keyId, unit))[0]?.seconds ?? {};

const toSecond = (time: number) => Math.floor(time / 1000);

/** Returns the state of a limit for a use that was counted, or was not. */
function describe(
  { quota, amount }: Use,
  { allowed, seconds, time }: { allowed: boolean; seconds: Seconds; time: number },
): Taken {
  const second = toSecond(time);
  const counted = Object.entries(seconds)
    .map(([at, used]) => [Number(at), used] as const)
    .filter(([at]) => at > second - WINDOW_S && at <= second + MAX_AHEAD_S)
    .sort(([one], [other]) => one - other);
  let used = counted.reduce((sum, [, one]) => sum + one, 0);
  const remaining = Math.max(0, quota - used);
  const wanted = allowed ? 1 : Math.min(amount, quota);
  let waitMs = 0;
  for (const [at, one] of counted) {
    if (used + wanted <= quota) break;
    used -= one;
    waitMs = (at + WINDOW_S) * 1000 - time;
  }
  return { allowed, remaining, waitMs, second };
}

/** SQL condition for an entry of `seconds` within the window, whose bounds are `$6` and `$7`. */
const isInWindowSql = "key::bigint > $6 AND key::bigint <= $7";

const addToSeconds = statement({
  params: [array(uuid), array(text), array(int8Number), array(int4), text, int8Number, int8Number],
  row: { key_id: uuid, unit: textOf<KeyLimit["unit"]>(), seconds: jsonb<Seconds>(), commits_async: nullable(text) },
  text: `
    WITH use AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::integer[]) AS use (key_id, unit, amount, quota)
    ), taken AS (
      INSERT INTO key_rate AS r (key_id, unit, seconds)
      SELECT key_id, unit, jsonb_build_object($5::text, amount) FROM use WHERE amount <= quota ORDER BY key_id, unit
      ON CONFLICT (key_id, unit) DO UPDATE SET seconds =
        (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(r.seconds) WHERE ${isInWindowSql})
        || jsonb_build_object($5, coalesce((r.seconds->>$5)::bigint, 0) + (excluded.seconds->>$5)::bigint)
      WHERE (SELECT coalesce(sum(value::bigint), 0) FROM jsonb_each_text(r.seconds) WHERE ${isInWindowSql})
        + (excluded.seconds->>$5)::bigint <= (SELECT quota FROM use WHERE (use.key_id, use.unit) = (r.key_id, r.unit))
      RETURNING key_id, unit, seconds
    )
    SELECT key_id, unit, seconds, ${asyncCommitSql("true")} FROM taken`,
});

const selectSeconds = statement({
  params: [uuid, text],
  row: { seconds: jsonb<Seconds>() },
  text: "SELECT seconds FROM key_rate WHERE key_id = $1 AND unit = $2",
});

const correctSecond = statement({
  params: [uuid, text, text, int8Number],
  row: { commits_async: nullable(text) },
  text: `
    UPDATE key_rate SET seconds = jsonb_set(seconds, ARRAY[$3], to_jsonb(greatest(0, (seconds->>$3)::bigint + $4)))
    WHERE key_id = $1 AND unit = $2 AND seconds ? $3
    RETURNING ${asyncCommitSql("true")}`,
});
