import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { OperatorActionsHub } from "../operator-actions";
import type { RatesHub } from "../rates";

/** What vouchers need of the hub. */
export type VouchersHub = Pick<HubParts, "db" | "now" | "tombstones"> & Secrets & RatesHub & OperatorActionsHub;
