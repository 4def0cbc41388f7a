import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** What operators' tokens need of the hub. */
export type OperatorTokensHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;
