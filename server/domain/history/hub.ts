import type { HubParts } from "../../context";

/** The parts of the hub that the history uses. */
export type HistoryHub = Pick<HubParts, "db" | "now" | "presence">;
