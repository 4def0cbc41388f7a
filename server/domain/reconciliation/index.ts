/** Brings payments to the state that their provider reports, whose events may be lost, repeated or reordered. */
export { checkOwnPayments, checkPendingPayments, reconcileEverything } from "./check-payments";
export type { ReconciliationHub } from "./hub";
export { applyEvents, receiveEvent, RECONCILED_DAYS, reconcileEvents, REPORT_RETENTION_DAYS } from "./payment-events";
export { reconcilePayment, refOf, selectPayment } from "./reconcile-payment";
export { refundPayment, sendOpenRefunds } from "./refund";
export { findRefundable, reconcileAccount, refundBalance } from "./refund-balance";
