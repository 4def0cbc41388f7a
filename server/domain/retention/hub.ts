import type { HubParts } from "../../context";
import type { AccountsHub } from "../accounts";

/** The parts of the hub that retention uses. */
export type RetentionHub = Pick<HubParts, "db" | "env"> & AccountsHub;
