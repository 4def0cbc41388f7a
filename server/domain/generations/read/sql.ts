/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { composeRangeConditions } from "./select-page";
export { snapshotSql } from "./serialize-generation";
