import type { HubParts } from "../../context";
import type { ReconciliationHub } from "../reconciliation";

/** What payment records need of the hub. */
export type PaymentRecordsHub = Pick<HubParts, "db" | "metrics" | "now"> & ReconciliationHub;
