import type { HubParts } from "../../context";
import type { RecoveryHub } from "../recovery";

/** The parts of the hub that members use. */
export type MembersHub = Pick<HubParts, "db" | "env" | "log" | "now"> & RecoveryHub;
