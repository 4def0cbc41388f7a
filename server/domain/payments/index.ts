/** A payment, its state, and its booking to the ledger. */
export { noteOutcome } from "./automatic-outcome";
export { bookPayment, creditPayment, lockPayment, type PaymentChange } from "./book-payment";
export { eurosToCents, nanoToCents } from "./euros";
export type { PaymentsHub } from "./hub";
export {
  centsToEuros,
  type Payment,
  type PaymentKind,
  type PaymentState,
  paymentStates,
  refundableCents,
  serializePayment,
  stateOf,
  type StoredState,
  toEventData,
} from "./payment";
export { endRefund, selectRefunds, settleRefund, type StoredRefund } from "./stored-refund";
