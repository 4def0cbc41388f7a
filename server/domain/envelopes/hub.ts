import type { HubParts } from "../../context";
import type { ReadHub } from "../generations/read";
import type { EnvelopeServices } from "./render";

/** The parts of the hub that envelopes use. */
export type EnvelopesHub = Pick<HubParts, "db"> & ReadHub & { services: EnvelopeServices };
