import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { OperatorActionsHub } from "../operator-actions";
import type { RatesHub } from "../rates";

/** The parts of the hub that vouchers use. */
export type VouchersHub = Pick<HubParts, "db" | "now" | "tombstones"> & Secrets & RatesHub & OperatorActionsHub;
