import { z } from "zod";
import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { array, int4, int8, int8Number, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { METADATA_KEY } from "../labels";
import { operate, type Operator } from "../operator-actions";
import type { UsageHub } from "./hub";
import { insertMark, lockMark } from "./mark";

/** The id of the label by end user, which every account has. */
export const END_USERS = 0;
/** The value under which the values beyond a day's limit are summed up. */
export const OTHER = "(other)";

const MAX_LABELS = 5;
const DAY_MS = 86_400_000;
/** Sums begin at least this long after they were requested, so that processes with different clocks agree on which sums exist. */
const MARGIN_MS = 3_600_000;

/** The keys of metadata by which an account wants sums. */
export const UsageMetadata = z
  .array(z.string().regex(METADATA_KEY, "must have 1 to 64 letters, digits, _, . or -"))
  .max(MAX_LABELS, `may have at most ${MAX_LABELS} keys`)
  .refine((names) => new Set(names).size === names.length, "must name each key once")
  .meta({
    description: `Up to ${MAX_LABELS} metadata keys by which usage is broken down, from the next day (UTC) on`,
    example: ["team"],
  });

/** Returns the keys of metadata by which the account `$1` has sums, and since when. */
export const selectLabels = statement({
  params: [int4],
  row: { id: int4, name: text, since: timestamptz },
  text: 'SELECT id, name, since FROM usage_label WHERE account_id = $1 AND NOT is_removed ORDER BY name COLLATE "C"',
});

/** Returns the keys of metadata by which an account has sums. */
export const listUsageMetadata = async ({ db }: Pick<UsageHub, "db">, accountId: number) =>
  (await selectLabels(db, accountId)).map(({ name, since }) => ({ name, since: since.toISOString() }));

/** Sets the keys of metadata by which the account has sums. */
export const setUsageMetadata = ({ hub, account }: Ctx<UsageHub>, names: string[]): Promise<string[]> =>
  hub.db.transaction((tx) => replaceLabels(tx, account.id, names, hub.now()));

/** Sets an account's keys of metadata on behalf of an operator. */
export async function setAccountUsageMetadata(
  hub: Pick<UsageHub, "db" | "now">,
  operator: Operator,
  { id, reason, names }: { id: number; reason?: string; names: string[] },
): Promise<void> {
  const target = { kind: "account", id: String(id) };
  await operate(hub, operator, { action: "account.set-usage-metadata", target, reason }, async (tx) => {
    const before = await replaceLabels(tx, id, names, hub.now());
    const after = names.toSorted();
    const isSame = before.length === after.length && before.every((name, n) => name === after[n]);
    return isSame ? null : { before: { usage_metadata: before }, after: { usage_metadata: after }, result: undefined };
  });
}

/**
 * Replaces an account's keys of metadata. A new one has sums from the next day (UTC) on, or from the one after if less than
 * an hour is left. Returns the sorted keys before.
 */
async function replaceLabels(tx: Queryable, accountId: number, names: string[], now: Date): Promise<string[]> {
  const since = new Date(Math.ceil((now.getTime() + MARGIN_MS) / DAY_MS) * DAY_MS);
  await insertMark(tx, accountId);
  // Excludes batches, so that each has all of the labels or none.
  await lockMark(tx, accountId);
  const before = (await selectLabels(tx, accountId)).map(({ name }) => name);
  await removeLabels(tx, accountId, names);
  await insertLabels(tx, accountId, names, since);
  return before;
}

const removeLabels = statement({
  params: [int4, array(text)],
  row: {},
  text: `
    UPDATE usage_label SET is_removed = true
    WHERE account_id = $1 AND NOT is_removed AND NOT name = ANY ($2::text[])`,
});

const insertLabels = statement({
  params: [int4, array(text), timestamptz],
  row: {},
  text: `
    INSERT INTO usage_label (account_id, name, since) SELECT $1, name, $3 FROM unnest($2::text[]) AS names (name)
    ON CONFLICT (account_id, name) WHERE NOT is_removed DO NOTHING`,
});

/** Removes up to `limit` sums of labels that accounts no longer have. Returns how many rows it removed. */
export async function purgeUsageLabels({ db }: Pick<UsageHub, "db">, limit: number): Promise<number> {
  const [purged] = await deleteSums(db, limit);
  if (purged!.count === 0n) await deleteLabels(db);
  return Number(purged!.count);
}

const deleteSums = statement({
  params: [int8Number],
  row: { count: int8 },
  text: `
    WITH removed AS (
      DELETE FROM usage_label_sum WHERE (account_id, label_id, grain, at, value) IN (
        SELECT s.account_id, s.label_id, s.grain, s.at, s.value
        FROM usage_label l JOIN usage_label_sum s ON s.account_id = l.account_id AND s.label_id = l.id
        WHERE l.is_removed LIMIT $1)
      RETURNING 1
    )
    SELECT count(*) AS count FROM removed`,
});

const deleteLabels = statement({
  params: [],
  row: {},
  text: `
    DELETE FROM usage_label l WHERE is_removed
      AND NOT EXISTS (SELECT FROM usage_label_sum s WHERE s.account_id = l.account_id AND s.label_id = l.id)`,
});
