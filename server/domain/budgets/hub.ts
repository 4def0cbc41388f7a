import type { HubParts } from "../../context";
import type { KeysHub } from "../keys";

/** What budgets need of the hub. */
export type BudgetsHub = Pick<HubParts, "db" | "endUserKey" | "now"> & KeysHub;
