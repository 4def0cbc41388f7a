import type { HubParts } from "../../context";

/** What comparing bills needs of the hub. */
export type BillsHub = Pick<HubParts, "catalogue" | "db" | "env" | "fetch" | "json" | "now">;
