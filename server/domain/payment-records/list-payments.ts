import { int4, int8Number, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { normalizeEmail } from "../../lib/normalize-email";
import { parseAccountId } from "../accounts";
import { centsToEuros, type Payment, serializePayment, type StoredRefund, type StoredState } from "../payments";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { PaymentRecordsHub } from "./hub";

/** The conditions of the filters. Each has a partial index. */
const conditions = {
  pending: "p.state = 'pending'",
  failed: "p.state = 'failed'",
  refunded: "p.refunded > 0",
  disputed: "p.disputed > 0",
  not_credited: "p.error IS NOT NULL",
};
export const paymentFilters = ["pending", "failed", "refunded", "disputed", "not_credited"] as const;
export type PaymentFilter = (typeof paymentFilters)[number];

/**
 * Returns a page of all payments, newest first; `next` is null on the last one. `q` is the id of a payment or account, or
 * an account's e-mail address.
 */
export async function listAllPayments(
  hub: PaymentRecordsHub,
  { q = "", filter, before }: { q?: string; filter?: PaymentFilter; before?: string },
  limit: number,
) {
  const cursor = before !== undefined && isId(before) ? before : null;
  const searched = q.trim();
  const rows =
    searched === ""
      ? await (filter ? selectFiltered[filter] : selectAll)(hub.db, cursor, limit + 1)
      : await findPayments(hub, searched, filter, cursor, limit + 1);
  const page = rows.slice(0, limit);
  return { data: page.map(serializeForOperator), next: rows.length > limit ? page.at(-1)!.id : null };
}

/** Returns a payment with its refunds, as operators see it. Throws a 404 for an unknown one. */
export async function getPaymentRecord(hub: PaymentRecordsHub, id: string) {
  const [payment] = await selectWithAccount(hub.db, id);
  if (!payment) throw new AppError("resource_not_found", "There is no such payment.");
  const refunds = await selectRefundsOf(hub.db, id);
  return {
    ...serializeForOperator(payment),
    provider_ref: payment.provider_ref,
    intent_ref: payment.intent_ref,
    /** With tax, as the provider reports it. */
    refunded: centsToEuros(payment.refunded - payment.refund_failed),
    disputed: centsToEuros(payment.disputed),
    reinstated: centsToEuros(payment.reinstated),
    refunds: refunds.map(({ id: refund, amount, state, reason, error, created_at }) => ({
      id: refund,
      amount: centsToEuros(amount),
      state,
      reason,
      error,
      created_at: created_at.toISOString(),
    })),
  };
}

const serializeForOperator = (payment: Payment & { email: string }) => ({
  ...serializePayment(payment),
  account: payment.account_id,
  email: payment.email,
  error: payment.error,
});

async function findPayments(
  hub: PaymentRecordsHub,
  searched: string,
  filter: PaymentFilter | undefined,
  before: string | null,
  limit: number,
) {
  if (isId(searched)) return selectWithAccount(hub.db, searched);
  return selectOfAccount(hub.db, before, limit, parseAccountId(searched), normalizeEmail(searched), filter ?? null);
}

const row = { ...paymentColumns, email: text };
const fromSql = `SELECT ${paymentSql}, a.email FROM payment p JOIN account a ON a.id = p.account_id`;
const pageSql = "($1::uuid IS NULL OR p.id < $1) ORDER BY p.id DESC LIMIT $2";

const selectPage = (condition: string) =>
  statement({ params: [nullable(uuid), int8Number], row, text: `${fromSql} WHERE ${condition} AND ${pageSql}` });

const selectAll = selectPage("true");

const selectFiltered = Object.fromEntries(paymentFilters.map((filter) => [filter, selectPage(conditions[filter])])) as {
  [filter in PaymentFilter]: typeof selectAll;
};

const anyConditionSql = paymentFilters.map((filter) => `WHEN '${filter}' THEN ${conditions[filter]}`).join(" ");

// An account has few payments, so the condition needs no index.
const selectOfAccount = statement({
  params: [nullable(uuid), int8Number, nullable(int4), text, nullable(text)],
  row,
  text: `
    ${fromSql} WHERE p.account_id = (SELECT id FROM account WHERE id = $3 OR email = $4 LIMIT 1)
      AND CASE $5::text ${anyConditionSql} ELSE true END AND ${pageSql}`,
});

const selectWithAccount = statement({ params: [uuid], row, text: `${fromSql} WHERE p.id = $1` });

const selectRefundsOf = statement({
  params: [uuid],
  row: {
    id: uuid,
    amount: int4,
    state: textOf<StoredRefund["state"]>(),
    reason: text,
    error: nullable(text),
    created_at: timestamptz,
  },
  text: `
    SELECT id, amount, state, reason, error, created_at FROM payment_refund
    WHERE payment_id = $1 ORDER BY created_at DESC LIMIT 100`,
});

/** Returns the newest payments of all accounts or of one. */
export const listPayments = async (
  hub: PaymentRecordsHub,
  { accountId = null, state = null, limit }: { accountId?: number | null; state?: StoredState | null; limit: number },
): Promise<(Payment & { email: string })[]> => selectForOperator(hub.db, accountId, state, limit);

const selectForOperator = statement({
  params: [nullable(int4), nullable(textOf<StoredState>()), int8Number],
  row,
  text: `
    ${fromSql}
    WHERE ($1::int IS NULL OR p.account_id = $1) AND ($2::text IS NULL OR p.state = $2)
    ORDER BY p.id DESC LIMIT $3`,
});
