/** SQL of usage that others compose: the audit to compute it again, erasures to find what they merge. */
export { isNamedValueSql } from "./merge-values";
export { settledRowsSql, sumColumns, truncateSql } from "./usage-sql";
