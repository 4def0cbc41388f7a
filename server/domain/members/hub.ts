import type { HubParts } from "../../context";
import type { RecoveryHub } from "../recovery";

/** What members need of the hub. */
export type MembersHub = Pick<HubParts, "db" | "env" | "log" | "now"> & RecoveryHub;
