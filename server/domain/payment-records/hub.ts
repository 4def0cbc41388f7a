import type { HubParts } from "../../context";
import type { EventsHub } from "../events";
import type { OperatorActionsHub } from "../operator-actions";
import type { PaymentsHub } from "../payments";

/** What payment records need of the hub. */
export type PaymentRecordsHub = Pick<HubParts, "db" | "metrics" | "now"> & EventsHub & OperatorActionsHub & PaymentsHub;
