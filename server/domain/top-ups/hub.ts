import type { HubParts } from "../../context";
import type { ReconciliationHub } from "../reconciliation";

/** What top-ups need of the hub. */
export type TopUpsHub = Pick<HubParts, "db" | "env" | "log" | "metrics" | "now" | "payments"> & ReconciliationHub;
