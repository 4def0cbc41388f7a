/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { attemptColumns, attemptColumnsSql } from "./attempts";
export { isCancelOpenSql } from "./cancel-request";
export { claimForAttemptSql, extendClaimSql, extendedDeadlineSql } from "./claim";
