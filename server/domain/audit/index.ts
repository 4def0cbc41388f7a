/** The checks of `npm run hub -- audit`, their verdicts, and the closings of months from which they go on. */
export { auditFiles, type FileAudit } from "./audit-files";
export type { Audit } from "./audit";
export { findFullAuditTime, findVerdict, recordAudit } from "./record-audit";
