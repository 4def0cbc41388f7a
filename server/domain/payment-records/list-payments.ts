import { int4, int8Number, nullable, text, textOf } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Payment, StoredState } from "../payments";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { PaymentRecordsHub } from "./hub";

/** Returns the newest payments of all accounts or of one, for the operator. */
export const listPayments = async (
  hub: PaymentRecordsHub,
  { accountId = null, state = null, limit }: { accountId?: number | null; state?: StoredState | null; limit: number },
): Promise<(Payment & { email: string })[]> => selectForOperator(hub.db, accountId, state, limit);

const selectForOperator = statement({
  params: [nullable(int4), nullable(textOf<StoredState>()), int8Number],
  row: { ...paymentColumns, email: text },
  text: `
    SELECT ${paymentSql}, a.email FROM payment p JOIN account a ON a.id = p.account_id
    WHERE ($1::int IS NULL OR p.account_id = $1) AND ($2::text IS NULL OR p.state = $2)
    ORDER BY p.id DESC LIMIT $3`,
});
