import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** The parts of the hub that people use. */
export type PeopleHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;
