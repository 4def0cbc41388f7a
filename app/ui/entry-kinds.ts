import type { EntryKind } from "@/server/domain/ledger";

/** The labels of the kinds of ledger entries. */
export const entryKindNames: Record<EntryKind, string> = {
  credit: "Credit",
  promotional: "Promotional credit",
  charge: "Charge",
  refund: "Refund",
  dispute: "Chargeback",
  repayment: "Debt repayment",
  given_up: "Given up",
};
