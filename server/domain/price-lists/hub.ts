import type { HubParts } from "../../context";
import type { ModelsHub } from "../models";

/** The parts of the hub that price lists use. */
export type PriceListsHub = Pick<HubParts, "bodyBudget" | "db" | "env" | "fetch" | "longWork" | "now"> & ModelsHub;
