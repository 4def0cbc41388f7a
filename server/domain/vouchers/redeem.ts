import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { array, bytea, int4, int8, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { type Nano, toEuros } from "../../lib/money";
import { lockActiveAccount } from "../accounts";
import { creditInTransaction } from "../ledger";
import { throttleAttempts } from "../rates";
import type { VouchersHub } from "./hub";
import { hashCode } from "./voucher-code";

/**
 * Redeems a voucher for the caller's account: gives it the amount as promotional credit, once. Returns the amount in EUR.
 * Throws a 400 for a code that does not exist, a 409 for a voucher that has ended, is used up or was redeemed by the account,
 * a 429 after too many wrong codes, and a 503 while the redemption cannot be stored for a restore.
 */
export async function redeemVoucher({ hub, account }: Ctx<VouchersHub>, code: string): Promise<{ credited: number }> {
  const counters = [{ buckets: hub.services.rateLimits.wrongVouchers, key: String(account.id) }];
  const hashes = hashCode(hub, code);
  const amount = await throttleAttempts(
    hub,
    counters,
    async () => hashes && hub.db.transaction((tx) => redeem(hub, tx, account.id, hashes)),
  );
  if (amount === null) throw invalidInput("code", "is not a voucher of this hub; check it for typos");
  return { credited: toEuros(amount) };
}

/** Returns the amount; null if no voucher has one of the hashes. Vouchers are locked before accounts. */
async function redeem(hub: VouchersHub, tx: Queryable, accountId: number, hashes: Buffer[]): Promise<Nano | null> {
  const now = hub.now();
  const [voucher] = await lockVoucher(tx, hashes);
  if (!voucher) return null;
  await lockActiveAccount(tx, accountId);
  const [redeemed] = await insertRedemption(tx, voucher.id, accountId, now, hashes[0]!);
  if (!redeemed) throw new AppError("invalid_state", explainRejection(voucher, now));
  await creditRedemption(tx, accountId, voucher, now);
  // Before the commit: a crash in between leaves a redemption that only a restore would make.
  const created_at = redeemed.account_created_at.toISOString();
  await hub.tombstones.add([{ kind: "redemption", id: voucher.id, account: accountId, created_at }], now);
  return voucher.amount;
}

/** Credits the amount of a voucher. Its reference credits an account only once, even if this is called again. */
export const creditRedemption = (
  tx: Queryable,
  accountId: number,
  { id, prefix, amount }: { id: string; prefix: string; amount: Nano },
  now: Date,
): Promise<void> =>
  creditInTransaction(
    tx,
    accountId,
    { amount, reference: `voucher:${id}`, note: `Voucher ${prefix}…`, kind: "promotional" },
    now,
  );

const voucherColumns = {
  id: uuid,
  prefix: text,
  amount: int8,
  max_redemptions: int4,
  redemptions: int4,
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
};

function explainRejection(
  { redemptions, max_redemptions, expires_at, revoked_at }: RowOf<typeof voucherColumns>,
  now: Date,
): string {
  if (revoked_at) return "This voucher is no longer valid.";
  if (expires_at && expires_at <= now) return `This voucher expired at ${expires_at.toISOString()}.`;
  if (redemptions >= max_redemptions) return "This voucher is used up, or your account has redeemed it already.";
  return "Your account has redeemed this voucher already.";
}

const lockVoucher = statement({
  params: [array(bytea)],
  row: voucherColumns,
  text: `
    SELECT id, prefix, amount, max_redemptions, redemptions, expires_at, revoked_at FROM voucher
    WHERE hash = ANY ($1::bytea[]) FOR UPDATE`,
});

// The stored hash is replaced with the one by the current secret, so that the voucher outlives the previous secret.
const insertRedemption = statement({
  params: [uuid, int4, timestamptz, bytea],
  row: { account_created_at: notNull(timestamptz) },
  text: `
    WITH counted AS (
      UPDATE voucher SET redemptions = redemptions + 1, hash = $4
      WHERE id = $1 AND redemptions < max_redemptions AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
        AND NOT EXISTS (SELECT FROM voucher_redemption WHERE voucher_id = $1 AND account_id = $2)
      RETURNING id
    )
    INSERT INTO voucher_redemption (voucher_id, account_id, created_at) SELECT id, $2, $3 FROM counted
    RETURNING (SELECT created_at FROM account WHERE id = account_id) AS account_created_at`,
});
