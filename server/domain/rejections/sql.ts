/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { composeDroppedSql } from "./count-rejected";
