/** Payments: their states and amounts, the refunds of one, and how its changes are booked to the ledger. */
export { recordOutcome } from "./automatic-outcome";
export { bookPayment, creditPayment, lockPayment, type PaymentChange } from "./book-payment";
export {
  centsToEuros,
  eurosToCents,
  nanoToCents,
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
export type { PaymentsHub } from "./hub";
export { refundWithin } from "./refund-share";
export { endRefund, selectRefunds, settleRefund, type StoredRefund } from "./stored-refund";
