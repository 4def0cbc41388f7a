/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */

export { eraseCharactersSql } from "./erase-characters";
