import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** The parts of the hub that operators' tokens use. */
export type OperatorTokensHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;
