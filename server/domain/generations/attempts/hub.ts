import type { HubParts } from "../../../context";

/** The parts of the hub that attempts use. */
export type AttemptsHub = Pick<HubParts, "db" | "now">;
