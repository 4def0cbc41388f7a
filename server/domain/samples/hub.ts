import type { HubParts } from "../../context";
import type { OperatorActionsHub } from "../operator-actions";

/** The parts of the hub that samples use. */
export type SamplesHub = Pick<HubParts, "catalogue" | "db" | "now"> & OperatorActionsHub;
