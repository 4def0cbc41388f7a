import type { HubParts } from "../../context";
import type { KeysHub } from "../keys";
import type { EndUserHub } from "../labels";

/** What budgets need of the hub. */
export type BudgetsHub = Pick<HubParts, "db" | "now"> & EndUserHub & KeysHub;
