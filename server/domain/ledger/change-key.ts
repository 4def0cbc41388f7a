import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { invalidInput } from "../../errors";
import { isId } from "../../lib/id";
import type { Nano } from "../../lib/money";
import { beginKeyLimitChange } from "../accounts";
import {
  checkExpiry,
  getKey,
  type Key,
  keyNotFoundError,
  type KeyRequest,
  lockKey,
  parseSpendLimit,
  type SpendReset,
  updateKey,
} from "../keys";
import type { LedgerHub } from "./hub";
import { type Charges, deleteSpending, insertSpending, setSpendLimit, sumCharges } from "./key-spending";

/** The members of a key to change; the others stay. */
type KeyChange = Partial<Omit<KeyRequest, "require_idempotency" | "is_temporary">> & { paused?: boolean };

/** Runs a change of a key in a transaction. The change returns false if a concurrent one came first. */
type Transact = (apply: (tx: Queryable) => Promise<boolean>) => Promise<boolean>;

/**
 * Changes a key of the account, which applies to its next request. Throws a 404 when it does not exist or is revoked, and
 * a 400 for an expiry in the past or a reset without a limit.
 */
export async function changeKey(
  ctx: Ctx<LedgerHub>,
  id: string,
  change: KeyChange,
  transact: Transact = (apply) => ctx.hub.db.transaction(apply),
): Promise<Key> {
  if (!isId(id)) throw keyNotFoundError();
  checkExpiry(change.expires_at ?? null, ctx.hub.now());
  const { spend_limit, spend_limit_reset, ...others } = change;
  if (spend_limit !== undefined || spend_limit_reset !== undefined) {
    const limit = spend_limit === undefined ? undefined : parseSpendLimit(spend_limit);
    await changeKeyLimit(ctx, id, { limit, reset: spend_limit_reset, others }, transact);
  } else {
    await transact(async (tx) => {
      const [changed] = await updateKey(tx, id, ctx.account.id, JSON.stringify(others), ctx.hub.now());
      if (!changed) throw keyNotFoundError();
      return true;
    });
  }
  return getKey(ctx, id);
}

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
 * Changes a key's spend limit and other members in one transaction. Everything that the key has spent in the period counts,
 * even what it spent without a limit or with another reset. A limit lower than that only rejects new work.
 */
async function changeKeyLimit(ctx: Ctx<LedgerHub>, id: string, change: LimitChange, transact: Transact): Promise<void> {
  for (;;) {
    const key = await getKey(ctx, id);
    const before = { limit: key.spend_limit, reset: key.spend_limit_reset };
    const after = mergeLimit(before, change);
    // Summed before the account is locked, because a month can have many charges; those that follow are added under the lock.
    const charges = isRecounted(before, after) ? await sumCharges(ctx, id, after.reset) : null;
    const application = { before, after, charges, others: change.others };
    if (await transact((tx) => applyLimit(tx, ctx, id, application))) return;
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

/** Returns false, and changes nothing, when a concurrent change came first. */
async function applyLimit(
  tx: Queryable,
  { hub, account }: Ctx<LedgerHub>,
  id: string,
  { before, after, charges, others }: Application,
): Promise<boolean> {
  // Later statements of this transaction see everything that was booked on the account before.
  await beginKeyLimitChange(tx, account.id);
  const [current] = await lockKey(tx, id, account.id);
  if (!current) throw keyNotFoundError();
  if (current.spend_limit !== before.limit || current.spend_limit_reset !== before.reset) return false;
  const { limit, reset } = after;
  const members = { ...others, spend_limit: limit?.toString() ?? null, spend_limit_reset: reset };
  await updateKey(tx, id, account.id, JSON.stringify(members), hub.now());
  if (limit === null || charges) await deleteSpending(tx, id);
  if (limit === null) return true;
  if (charges) await insertSpending(tx, { accountId: account.id, keyId: id, limit, reset, charges });
  await setSpendLimit(tx, id, limit);
  return true;
}
