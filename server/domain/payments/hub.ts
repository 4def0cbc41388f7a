import type { HubParts } from "../../context";
import type { TaxLineHub } from "../tax";

/** What payments need of the hub. */
export type PaymentsHub = Pick<HubParts, "now"> & TaxLineHub;
