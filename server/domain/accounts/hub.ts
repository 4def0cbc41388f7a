import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** The parts of the hub that accounts use. */
export type AccountsHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;
