import { newId } from "../../lib/id";
import type { PaymentEventName } from "../events/event-names";

const states: Record<PaymentEventName, string> = {
  "payment.succeeded": "paid",
  "payment.failed": "failed",
  "payment.refunded": "refunded",
};

/** Returns an example of the payment in an event, for the documentation. */
export const examplePayment = (event: PaymentEventName) => ({
  id: newId(),
  amount: 25,
  tax: event === "payment.failed" ? 0 : 4.75,
  currency: "EUR",
  state: states[event],
});
