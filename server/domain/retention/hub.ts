import type { HubParts } from "../../context";
import type { AccountsHub } from "../accounts";

/** What retention needs of the hub. */
export type RetentionHub = Pick<HubParts, "db" | "env"> & AccountsHub;
