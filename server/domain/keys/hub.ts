import type { HubParts } from "../../context";
import type { AccountsHub } from "../accounts";

/** What API keys need of the hub. */
export type KeysHub = Pick<HubParts, "db" | "now"> & AccountsHub;
