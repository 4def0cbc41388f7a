/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { fileColumns, fileSql, hasContentSql, isFileOfKeySql } from "./file";
export { expiredSql } from "./in-use";
export { eraseOutputsSql, expireOutputsSql, publishOutputsSql } from "./store-output";
