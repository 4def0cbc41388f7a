import type { Queryable } from "../../db/client";
import { mergeErasedUsers } from "../usage";

/** A generation before its erasure. */
interface Settled {
  account_id: number;
  end_user: string | null;
  settled_at: Date | null;
}

/** Removes the end users of these generations, which are erased, from the sums of months in which they have no others. */
export async function eraseUsersFromUsage(tx: Queryable, generations: Settled[]): Promise<void> {
  const byAccount = new Map<number, { end_user: string; settled_at: Date }[]>();
  // In the order of accounts, so that two erasures never wait for each other.
  for (const { account_id, end_user, settled_at } of generations.toSorted((a, b) => a.account_id - b.account_id)) {
    if (end_user === null || !settled_at) continue;
    const erased = byAccount.get(account_id) ?? [];
    byAccount.set(account_id, [...erased, { end_user, settled_at }]);
  }
  for (const [accountId, erased] of byAccount) await mergeErasedUsers(tx, accountId, erased);
}
