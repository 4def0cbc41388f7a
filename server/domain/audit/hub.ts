import type { HubParts } from "../../context";

/** What the audit needs of the hub. */
export type AuditHub = Pick<HubParts, "db" | "now" | "storage">;
