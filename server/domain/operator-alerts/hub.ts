import type { HubParts } from "../../context";
import type { AlertsHub } from "../alerts";
import type { OperationsHub } from "../operations";

/** What the operators' alerts need of the hub. */
export type OperatorAlertsHub = Pick<HubParts, "catalogue" | "db" | "env" | "now"> & AlertsHub & OperationsHub;
