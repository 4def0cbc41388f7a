import type { HubParts } from "../../context";
import type { KeysHub } from "../keys";
import type { EndUserHub } from "../labels";

/** The parts of the hub that budgets use. */
export type BudgetsHub = Pick<HubParts, "db" | "now"> & EndUserHub & KeysHub;
