/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { hasOpenDisputeSql } from "./dispute";
export { paymentColumns, paymentSql } from "./payment";
export { refundColumns, refundSql } from "./stored-refund";
