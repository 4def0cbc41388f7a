import type { Metadata } from "../../context";
import type { Queryable } from "../../db/client";
import { type ErasedLabel, mergeErasedLabels } from "../usage";

/** A generation before its erasure. */
interface Settled {
  id: string;
  account_id: number;
  end_user: string | null;
  metadata: Metadata | null;
  settled_at: Date | null;
}

/**
 * Removes the end users and metadata of these generations, which are erased, from the sums of months in which no others have
 * them.
 */
export async function eraseLabelsFromUsage(tx: Queryable, generations: Settled[]): Promise<void> {
  const byAccount = new Map<number, ErasedLabel[]>();
  // In the order of accounts, so that two erasures never wait for each other.
  for (const generation of generations.toSorted((a, b) => a.account_id - b.account_id)) {
    const labels = byAccount.get(generation.account_id) ?? [];
    byAccount.set(generation.account_id, labels);
    labels.push(...listLabels(generation));
  }
  for (const [accountId, labels] of byAccount) await mergeErasedLabels(tx, accountId, labels);
}

function listLabels({ id, settled_at, end_user, metadata }: Settled): ErasedLabel[] {
  if (!settled_at) return [];
  const pairs = Object.entries(metadata ?? {}).map(([key, value]) => ({ id, settled_at, key, value }));
  return end_user === null ? pairs : [{ id, settled_at, key: null, value: end_user }, ...pairs];
}
