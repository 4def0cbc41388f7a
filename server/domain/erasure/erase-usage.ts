import type { Metadata } from "../../context";
import type { Queryable } from "../../db/client";
import { toLabelQuery } from "../generations/search";
import { type ErasedLabels, mergeErasedLabels } from "../usage";

/** A generation before its erasure. */
interface Settled {
  account_id: number;
  end_user: string | null;
  metadata: Metadata | null;
  settled_at: Date | null;
}

/** Removes the end users and metadata of these generations, which are erased, from the sums of months in which no others have them. */
export async function eraseLabelsFromUsage(tx: Queryable, generations: Settled[]): Promise<void> {
  const byAccount = new Map<number, ErasedLabels[]>();
  // In the order of accounts, so that two erasures never wait for each other.
  for (const { account_id, settled_at, end_user, metadata } of generations.toSorted(
    (a, b) => a.account_id - b.account_id,
  )) {
    if (!settled_at) continue;
    const pairs = Object.entries(metadata ?? {}).map(([key, value]) => ({ key, value, query: toLabelQuery(account_id, [key, value]) })); // prettier-ignore
    byAccount.set(account_id, [...(byAccount.get(account_id) ?? []), { settled_at, end_user, pairs }]);
  }
  for (const [accountId, erased] of byAccount) await mergeErasedLabels(tx, accountId, erased);
}
