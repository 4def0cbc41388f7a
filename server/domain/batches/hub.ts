import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndHub } from "../generations/end";
import type { IntakeHub } from "../generations/intake";

/** The parts of the hub that batches use. */
export type BatchesHub = Pick<HubParts, "db" | "now" | "publish" | "storage"> & Secrets & IntakeHub & EndHub;
