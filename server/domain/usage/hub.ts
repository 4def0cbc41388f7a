import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndUserHub } from "../labels";

/** What usage needs of the hub. */
export type UsageHub = Pick<HubParts, "db" | "now"> & EndUserHub & Secrets;
