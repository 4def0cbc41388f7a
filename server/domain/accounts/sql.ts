/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export {
  chargeUploadSql,
  creditBalanceSql,
  followChangesSql,
  forgetFollowersSql,
  type Form,
  followEventsSql,
  lockAccountSql,
  maxRunningSql,
  payAmountSql,
  payAmountsSql,
  refundableSql,
  refundUploadsSql,
  releaseSlotsSql,
  reserveAmountSql,
  reserveAmountsSql,
  reverseBalanceSql,
  storeHasBudgetsSql,
  takeSlotSql,
  TURN_COST,
} from "./account-sql";
export { insertAccountSql, keptReplyDaysSql } from "./account";
export { callerSql, isDevelopingSql, lockForManagerSql } from "./caller";

/** SQL: the states, divided by commas, in which a generation holds an amount of its account. */
export const unsettledStatesSql = "'queued', 'running', 'awaiting_supply'";
