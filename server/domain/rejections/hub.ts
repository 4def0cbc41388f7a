import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";

/** What rejections need of the hub. */
export type RejectionsHub = Pick<HubParts, "db" | "env" | "now"> & Secrets;
