import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** What accounts need of the hub. */
export type AccountsHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;
