import type { HubParts } from "../../context";

/** What payments need of the hub. */
export type PaymentsHub = Pick<HubParts, "now">;
