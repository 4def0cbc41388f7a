import type { Queryable } from "../../db/client";
import { array, bool, int4, int8, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Redemption } from "../../storage/tombstones";
import { creditRedemption } from "./redeem";

/** What became of the redemptions that a restored backup does not have. */
export interface RestoredRedemptions {
  /** How many were made again, with their credit. */
  restored: number;
  /** Those whose voucher or account the backup does not have, or whose voucher is used up. */
  left_out: { voucher: string; account: number }[];
}

/**
 * Makes redemptions again that a restored backup does not have, in the transaction that restores it. Can be called again with
 * the same ones.
 */
export async function restoreRedemptions(
  tx: Queryable,
  redemptions: Redemption[],
  now: Date,
): Promise<RestoredRedemptions> {
  const missing = await selectMissing(
    tx,
    redemptions.map(({ id }) => id),
    redemptions.map(({ account }) => account),
    redemptions.map(({ created_at }) => new Date(created_at)),
  );
  const result: RestoredRedemptions = { restored: 0, left_out: [] };
  for (const { voucher_id: id, account_id: account, prefix, amount, is_known } of missing) {
    const [redeemed] = is_known ? await insertAgain(tx, id, account, now) : [];
    if (!redeemed || amount === null || prefix === null) result.left_out.push({ voucher: id, account });
    else {
      await creditRedemption(tx, account, { id, prefix, amount }, now);
      result.restored += 1;
    }
  }
  return result;
}

// After a restore, a new account may reuse the id, but never with the same creation time.
const selectMissing = statement({
  params: [array(uuid), array(int4), array(timestamptz)],
  row: {
    voucher_id: notNull(uuid),
    account_id: notNull(int4),
    prefix: nullable(text),
    amount: nullable(int8),
    is_known: notNull(bool),
  },
  text: `
    SELECT DISTINCT m.voucher_id, m.account_id, v.prefix, v.amount, v.id IS NOT NULL AND a.id IS NOT NULL AS is_known
    FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS m (voucher_id, account_id, created_at)
    LEFT JOIN voucher v ON v.id = m.voucher_id
    LEFT JOIN account a ON a.id = m.account_id AND a.created_at = m.created_at
    WHERE a.id IS NULL OR NOT EXISTS (
      SELECT FROM voucher_redemption r WHERE r.voucher_id = m.voucher_id AND r.account_id = m.account_id)`,
});

const insertAgain = statement({
  params: [uuid, int4, timestamptz],
  row: { account_id: int4 },
  text: `
    WITH counted AS (
      UPDATE voucher SET redemptions = redemptions + 1 WHERE id = $1 AND redemptions < max_redemptions RETURNING id
    )
    INSERT INTO voucher_redemption (voucher_id, account_id, created_at) SELECT id, $2, $3 FROM counted
    RETURNING account_id`,
});
