/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { correctSpendingSql, countSpendingSql, maybeBilledSql } from "./provider-capacity";
export { pullBackWaitsSql } from "./route-waits";
