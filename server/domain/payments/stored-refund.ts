import type { Queryable } from "../../db/client";
import { int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import type { ProviderRefund } from "../../payments/provider";

export const refundColumns = {
  id: uuid,
  payment_id: uuid,
  amount: int4,
  state: textOf<"refunding" | "refunded" | "failed">(),
  provider_ref: nullable(text),
};

/** A refund that an operator requested; its amount is in cents and includes tax. */
export type StoredRefund = RowOf<typeof refundColumns>;

export const refundSql = columnList(refundColumns, "r");

/** Ends a refund whose outcome the provider has reported. The payment must be locked. */
export async function settleRefund(
  tx: Queryable,
  { id, state }: StoredRefund,
  found: ProviderRefund | undefined,
  now: Date,
): Promise<void> {
  if (!found || state === "failed" || (state === "refunded" && !found.hasFailed)) return;
  await endRefund(tx, id, found.hasFailed ? "failed" : "refunded", found.ref, null, now);
}

/** Ends a refund; does nothing if it has failed already. */
export const endRefund = statement({
  params: [uuid, textOf<StoredRefund["state"]>(), nullable(text), nullable(text), timestamptz],
  row: { id: uuid },
  text: `
    UPDATE payment_refund SET state = $2, provider_ref = coalesce($3, provider_ref), error = $4, settled_at = $5
    WHERE id = $1 AND state <> 'failed' RETURNING id`,
});

/** Returns the refunds of a payment, which must be locked. */
export const selectRefunds = statement({
  params: [uuid],
  row: refundColumns,
  text: `SELECT ${refundSql} FROM payment_refund r WHERE r.payment_id = $1`,
});
