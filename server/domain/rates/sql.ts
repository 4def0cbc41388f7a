/** SQL that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { accountRateIdSql } from "./key-rates";
