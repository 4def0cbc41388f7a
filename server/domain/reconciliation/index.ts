/** Comparing payments with their provider: its events, refunds, disputes. Reports may come twice and in any order. */
export { checkOwnPayments } from "./check-own-payments";
export type { ReconciliationHub } from "./hub";
export {
  applyAllEvents,
  applyEvents,
  describeError,
  receiveEvent,
  reconcileEvents,
  REPORT_RETENTION_DAYS,
  type Trouble,
} from "./payment-events";
export { checkPendingPayments, reconcilePayment, refOf, selectAllPending, selectPayment } from "./reconcile-payment";
export { refundPayment, sendAllOpenRefunds, sendOpenRefunds } from "./refund";
