import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { KeysHub } from "../keys";

/** The parts of the hub that connections use. */
export type ConnectionsHub = Pick<HubParts, "db" | "env" | "fetch" | "now"> & Secrets & KeysHub;
