import type { HubParts } from "../../context";

/** The parts of the hub that the audit uses. */
export type AuditHub = Pick<HubParts, "db" | "now" | "storage">;
