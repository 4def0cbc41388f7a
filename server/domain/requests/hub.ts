import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";

/** The parts of the hub that the list of requests uses. */
export type RequestsHub = Pick<HubParts, "db"> & Secrets;
