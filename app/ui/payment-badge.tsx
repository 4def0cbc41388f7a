import type { PaymentKind, PaymentState } from "@/server/domain/payments";
import { Badge, type Tone } from "./badge";

const states: Record<PaymentState, readonly [Tone, string]> = {
  pending: ["accent", "Pending"],
  paid: ["good", "Paid"],
  failed: ["danger", "Failed"],
  expired: ["neutral", "Expired"],
  partially_refunded: ["neutral", "Partially refunded"],
  refunded: ["neutral", "Refunded"],
  disputed: ["warning", "Disputed"],
};

/** The labels of payments without a note. */
export const paymentKinds: Record<PaymentKind, string> = {
  top_up: "Top-up",
  automatic: "Automatic top-up",
  manual: "Payment",
};

/** Renders the state of a payment. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  const [tone, word] = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}
