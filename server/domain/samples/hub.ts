import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** What samples need of the hub. */
export type SamplesHub = Pick<HubParts, "catalogue" | "db" | "now"> & OperatorActionsHub;
