import type { HubParts } from "../../context";
import type { AccountsHub } from "../accounts";

/** The parts of the hub that API keys use. */
export type KeysHub = Pick<HubParts, "db" | "now"> & AccountsHub;
