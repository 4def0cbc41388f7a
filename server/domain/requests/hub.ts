import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";

/** What the list of requests needs of the hub. */
export type RequestsHub = Pick<HubParts, "db"> & Secrets;
