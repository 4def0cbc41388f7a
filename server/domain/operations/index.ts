/** What operators see of the whole hub: its state and metrics, money by day, accounts, the audit log, and what is stored. */
export { addNote, getAccountRecord, getAccountSummary } from "./account-record";
export { measureDatabase, type TableSize } from "./database-sizes";
export { findAccounts, listAllAccounts } from "./find-accounts";
export type { OperationsHub } from "./hub";
export { getHubState } from "./hub-state";
export { listActionNames, listActions } from "./list-actions";
export { rollUpMoney, sumMoney } from "./money";
export { countStaleSecrets, reencryptSecrets } from "./reencrypt-secrets";
export { readGauges } from "./read-gauges";
export { renderMetrics } from "./render-metrics";
export { describeRetention, findOldestRows, measureFiles, type Retention } from "./retention";
