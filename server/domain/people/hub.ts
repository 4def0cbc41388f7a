import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** What people need of the hub. */
export type PeopleHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;
