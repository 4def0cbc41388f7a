import type { HubParts } from "../../context";
import type { EventsHub } from "../events";
import type { OperatorActionsHub } from "../operator-actions";
import type { PaymentsHub } from "../payments";

/** The parts of the hub that payment records use. */
export type PaymentRecordsHub = Pick<HubParts, "db" | "metrics" | "now"> & EventsHub & OperatorActionsHub & PaymentsHub;
