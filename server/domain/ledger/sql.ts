/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export { holdSql } from "./hold";
export { settleSql } from "./settle";
