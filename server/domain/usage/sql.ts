/** SQL of usage that others compose: the audit to recompute it, erasures to find what they merge. */
export { isNamedValueSql } from "./merge-values";
export { settledRowsSql, sumColumns, truncateSql } from "./usage-sql";
