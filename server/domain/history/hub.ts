import type { HubParts } from "../../context";

/** What the history needs of the hub. */
export type HistoryHub = Pick<HubParts, "db" | "now" | "presence">;
