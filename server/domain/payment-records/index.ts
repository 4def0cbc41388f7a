/** Payments for operators: lists, records of money that arrived otherwise, reconciling all. */
export type { PaymentRecordsHub } from "./hub";
export { getPaymentRecord, listAllPayments, type PaymentFilter, paymentFilters } from "./list-all-payments";
export { listPayments } from "./list-payments";
export { reconcileEverything } from "./reconcile-all";
export { recordPayment } from "./record-payment";
