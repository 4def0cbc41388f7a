import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { invalidInput } from "../../errors";
import type { Nano } from "../../lib/money";
import { beginKeyLimitChange } from "../accounts";
import { getKey, keyNotFoundError, lockKey, type SpendReset, updateKey } from "../keys";
import type { LedgerHub } from "./hub";
import { type Charges, deleteSpending, insertSpending, setSpendLimit, sumCharges } from "./key-spending";

interface LimitChange {
  /** Unchanged when undefined; null removes the limit. */
  limit: Nano | null | undefined;
  reset: SpendReset | undefined;
  /** The other members of the key to change. */
  others: object;
}

interface Limit {
  limit: Nano | null;
  reset: SpendReset;
}

/**
 * Changes a key's spend limit and other members in one transaction. What the key has spent in the period counts, also
 * what it spent without a limit or with another reset. A limit below that rejects new work and nothing else. Throws a 400
 * for a reset without a limit, and a 404 when the key does not exist or is revoked.
 */
export async function changeKeyLimit(ctx: Ctx<LedgerHub>, id: string, change: LimitChange): Promise<void> {
  for (;;) {
    const key = await getKey(ctx, id);
    const before = { limit: key.spend_limit, reset: key.spend_limit_reset };
    const after = mergeLimit(before, change);
    // Summed before the account is locked, because a month can have many charges; those that follow are added under the lock.
    const charges = isRecounted(before, after) ? await sumCharges(ctx, id, after.reset) : null;
    const outcome = await ctx.hub.db.transaction((tx) =>
      applyLimit(tx, ctx, id, { before, after, charges, ...change }),
    );
    if (outcome === "gone") throw keyNotFoundError();
    if (outcome === "applied") return;
  }
}

function mergeLimit(before: Limit, { limit = before.limit, reset }: LimitChange): Limit {
  if (limit !== null) return { limit, reset: reset === undefined ? before.reset : reset };
  if (reset) throw invalidInput("spend_limit_reset", "needs a spend_limit");
  return { limit, reset: null };
}

const isRecounted = (before: Limit, after: Limit) =>
  after.limit !== null && (before.limit === null || before.reset !== after.reset);

interface Application {
  before: Limit;
  after: Limit;
  charges: Charges | null;
  others: object;
}

/** Returns `changed`, with nothing changed, when a concurrent change came first. */
async function applyLimit(
  tx: Queryable,
  { hub, account }: Ctx<LedgerHub>,
  id: string,
  { before, after, charges, others }: Application,
): Promise<"applied" | "changed" | "gone"> {
  // Later statements of this transaction see everything that was booked on the account before.
  await beginKeyLimitChange(tx, account.id);
  const [current] = await lockKey(tx, id, account.id);
  if (!current) return "gone";
  if (current.spend_limit !== before.limit || current.spend_limit_reset !== before.reset) return "changed";
  const { limit, reset } = after;
  const members = { ...others, spend_limit: limit?.toString() ?? null, spend_limit_reset: reset };
  await updateKey(tx, id, account.id, JSON.stringify(members), hub.now());
  if (limit === null || charges) await deleteSpending(tx, id);
  if (limit === null) return "applied";
  if (charges) await insertSpending(tx, { accountId: account.id, keyId: id, limit, reset, charges });
  await setSpendLimit(tx, id, limit);
  return "applied";
}
