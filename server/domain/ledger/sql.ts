/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { holdSql, spendingConstraints } from "./hold";
export { settleOneSql, settleSql } from "./settle";
export { hadTrialCreditSql } from "./trial-credit";
