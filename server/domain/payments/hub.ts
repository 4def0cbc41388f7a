import type { HubParts } from "../../context";
import type { TaxLineHub } from "../tax";

/** The parts of the hub that payments use. */
export type PaymentsHub = Pick<HubParts, "now"> & TaxLineHub;
