import type { HubParts } from "../../context";
import type { AlertsHub } from "../alerts";
import type { OperationsHub } from "../operations";

/** The parts of the hub that the operators' alerts use. */
export type OperatorAlertsHub = Pick<HubParts, "catalogue" | "db" | "env" | "now"> & AlertsHub & OperationsHub;
