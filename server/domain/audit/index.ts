/** The checks of `npm run hub -- audit`, their verdicts, and the closings of months from which they go on. */
export type { Audit } from "./audit";
export { auditFiles, type FileAudit } from "./audit-files";
export { findFullAuditTime, findVerdict, recordAudit } from "./record-audit";
