import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { KeysHub } from "../keys";

/** What connections need of the hub. */
export type ConnectionsHub = Pick<HubParts, "db" | "env" | "fetch" | "now"> & Secrets & KeysHub;
