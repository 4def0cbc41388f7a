/** Payments as operators see them: lists, one with its refunds, and records of money that arrived without a provider. */
export type { PaymentRecordsHub } from "./hub";
export { getPaymentRecord, listAllPayments, listPayments, type PaymentFilter, paymentFilters } from "./list-payments";
export { recordPayment } from "./record-payment";
