/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { isLabelWordSql } from "./label-words";
export { composeHitsSql, composeNewestSql, inAccountSql } from "./search-hits";
