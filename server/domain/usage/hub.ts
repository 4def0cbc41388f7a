import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndUserHub } from "../labels";

/** The parts of the hub that usage uses. */
export type UsageHub = Pick<HubParts, "db" | "now"> & EndUserHub & Secrets;
