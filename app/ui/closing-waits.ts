import type { DescribedClosure } from "@/server/domain/closures";

/** What a closing account waits for, as parts of a sentence. */
export const closingWaits: Record<DescribedClosure["waits_for"][number], string> = {
  running_work: "running work",
  pending_payments: "pending payments and refunds",
  disputes: "an open dispute",
  debt: "what the account owes",
  refund_by_operator: "a refund that only the operator can make",
};
