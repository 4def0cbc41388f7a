import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";

/** The parts of the hub that rejections use. */
export type RejectionsHub = Pick<HubParts, "db" | "env" | "now"> & Secrets;
