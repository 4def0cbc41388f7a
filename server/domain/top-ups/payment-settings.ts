import type { Ctx } from "../../context";
import { int4, int8, int8Number, nullable, text, textOf } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import { centsToEuros, serializePayment } from "../payments";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { TopUpsHub } from "./hub";

const MAX_SHOWN = 50;

/** Returns whether customers of the hub can top up. */
export const takesPayments = (hub: TopUpsHub): boolean => Object.keys(hub.payments).length > 0;

/** Returns the account's newest payments, saved method, automatic top-up and debt, for the console. */
export async function getPaymentSettings({ hub, account }: Ctx<TopUpsHub>) {
  const [payments, [settings]] = await Promise.all([
    selectOfAccount(hub.db, account.id, MAX_SHOWN),
    selectSettings(hub.db, account.id),
  ]);
  return {
    isEnabled: takesPayments(hub),
    owed: toEuros(settings!.owed),
    method: settings!.method_label,
    hasInvoices: settings!.customer_ref !== null,
    automatic: serializeAutomatic(settings!),
    payments: payments.map(serializePayment),
  };
}

/** Returns the automatic top-up in EUR; null for an account that never had one. */
const serializeAutomatic = ({ state, reason, threshold, target, monthly_cap }: Settings) =>
  state && {
    state,
    reason,
    threshold: centsToEuros(threshold!),
    target: centsToEuros(target!),
    monthly_cap: centsToEuros(monthly_cap!),
  };

const selectOfAccount = statement({
  params: [int4, int8Number],
  row: paymentColumns,
  text: `
    SELECT ${paymentSql} FROM payment p WHERE p.account_id = $1 AND p.state <> 'expired'
    ORDER BY p.id DESC LIMIT $2`,
});

const settingsColumns = {
  owed: int8,
  customer_ref: nullable(text),
  method_label: nullable(text),
  state: nullable(textOf<"on" | "off" | "paused">()),
  reason: nullable(text),
  threshold: nullable(int4),
  target: nullable(int4),
  monthly_cap: nullable(int4),
};
type Settings = RowOf<typeof settingsColumns>;

const selectSettings = statement({
  params: [int4],
  row: settingsColumns,
  text: `
    SELECT a.owed, c.customer_ref, c.method_label, t.state, t.reason, t.threshold, t.target, t.monthly_cap FROM account a
    LEFT JOIN payment_customer c ON c.account_id = a.id LEFT JOIN automatic_top_up t ON t.account_id = a.id
    WHERE a.id = $1`,
});
