import type { HubParts } from "../../context";
import type { EventsHub } from "../events";
import type { OperatorActionsHub } from "../operator-actions";
import type { PaymentCustomersHub } from "../payment-customers";
import type { PaymentsHub } from "../payments";

/** The parts of the hub that reconciliation uses. */
export type ReconciliationHub = Pick<HubParts, "db" | "log" | "metrics" | "now" | "payments" | "publish"> &
  PaymentsHub &
  PaymentCustomersHub &
  EventsHub &
  OperatorActionsHub;
