/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */
export {
  columns,
  columnsSql,
  generationColumns,
  generationSql,
  outputListSql,
  outputsSql,
  visibleColumns,
  visibleSql,
} from "./generation";
export { selectUnsettledSql } from "./transitions";
