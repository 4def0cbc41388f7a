import type { HubParts } from "../../context";
import type { ReadHub } from "../generations/read";
import type { EnvelopeServices } from "./render";

/** What envelopes need of the hub. */
export type EnvelopesHub = Pick<HubParts, "db"> & ReadHub & { services: EnvelopeServices };
