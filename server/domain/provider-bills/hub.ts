import type { HubParts } from "../../context";

/** The parts of the hub that comparing bills uses. */
export type BillsHub = Pick<HubParts, "catalogue" | "db" | "env" | "fetch" | "json" | "now">;
