/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { composeNewestSql } from "./newest-sql";
export { composeHitsSql } from "./search-hits";
