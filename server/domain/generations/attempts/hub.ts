import type { HubParts } from "../../../context";

/** What attempts need of the hub. */
export type AttemptsHub = Pick<HubParts, "db" | "now">;
