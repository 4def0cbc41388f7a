import type { HubParts } from "../../context";
import type { ReconciliationHub } from "../reconciliation";

/** The parts of the hub that top-ups use. */
export type TopUpsHub = Pick<HubParts, "db" | "env" | "log" | "metrics" | "now" | "payments"> & ReconciliationHub;
