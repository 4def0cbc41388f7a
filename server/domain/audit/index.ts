/**
 * The audit of `npm run hub -- audit`: it computes balances, holds and totals again from primary data, compares files with the
 * storage, stores its verdict, and closes past months so that the next audit need not read them.
 */
export type { Audit } from "./audit";
export { auditFiles, type FileAudit } from "./audit-files";
export { auditDaily, findFullAuditTime, findVerdict, recordAudit } from "./record-audit";
