/** SQL of usage that the audit composes to compute it again. */
export { settledRowsSql, sumColumns, truncateSql } from "./usage-sql";
