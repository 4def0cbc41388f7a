import type { Ctx } from "../../context";
import { isId } from "../../lib/id";
import { checkExpiry, getKey, type Key, keyNotFoundError, parseSpendLimit, type SpendReset, updateKey } from "../keys";
import { changeKeyLimit } from "./change-key-limit";
import type { LedgerHub } from "./hub";

/** The members of a key to change; the others stay. */
export interface KeyChange {
  name?: string;
  paused?: boolean;
  expires_at?: Date | null;
  /** EUR. */
  spend_limit?: number | null;
  spend_limit_reset?: SpendReset;
  allowed_models?: string[] | null;
}

/**
 * Changes a key of the account, which applies to its next request. Throws a 404 when it does not exist or is revoked, and
 * a 400 for an expiry in the past or a reset without a limit.
 */
export async function changeKey(ctx: Ctx<LedgerHub>, id: string, change: KeyChange): Promise<Key> {
  if (!isId(id)) throw keyNotFoundError();
  checkExpiry(change.expires_at ?? null, ctx.hub.now());
  const { spend_limit, spend_limit_reset, ...others } = change;
  if (spend_limit !== undefined || spend_limit_reset !== undefined) {
    const limit = spend_limit === undefined ? undefined : parseSpendLimit(spend_limit);
    await changeKeyLimit(ctx, id, { limit, reset: spend_limit_reset, others });
  } else {
    const [changed] = await updateKey(ctx.hub.db, id, ctx.account.id, JSON.stringify(others), ctx.hub.now());
    if (!changed) throw keyNotFoundError();
  }
  return getKey(ctx, id);
}
