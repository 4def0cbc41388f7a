import type { HubParts } from "../../context";
import type { ModelsHub } from "../models";

/** What price lists need of the hub. */
export type PriceListsHub = Pick<HubParts, "bodyBudget" | "db" | "env" | "fetch" | "longWork" | "now"> & ModelsHub;
