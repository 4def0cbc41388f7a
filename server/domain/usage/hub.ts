import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";

/** What usage needs of the hub. */
export type UsageHub = Pick<HubParts, "db" | "endUserKey" | "now"> & Secrets;
