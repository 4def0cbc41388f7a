/** The money of an account: holds, settlements, credits, reversals, statements, spend. See docs/architecture.md, Money. */
export { changeKey } from "./change-key";
export { creditAccount, creditInTransaction, findCredit, grantCredit } from "./credit";
export { findFunds, type Funds } from "./find-funds";
export type { LedgerHub } from "./hub";
export { type EntryKind, listEntries, serializeEntry } from "./list-entries";
export { reverseCredit } from "./reverse";
export { runShortestForm } from "./run-shortest-form";
export { NO_KEY } from "./settle";
export { countDaysLeft, forecastCredit, getPace, type Pace, PACE_DAYS } from "./spend-pace";
export { serializeSpend, sumSpend } from "./sum-spend";
export { insertTrialCredit } from "./trial-credit";
export { parseStatementFilters, StatementFilters, writeStatement } from "./write-statement";
