import type { EntryKind } from "@/server/domain/ledger";

/** What the kinds of ledger entries are called. */
export const entryKindNames: Record<EntryKind, string> = {
  credit: "Credit",
  charge: "Charge",
  refund: "Refund",
  dispute: "Chargeback",
  repayment: "Debt repayment",
};
