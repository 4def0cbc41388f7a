import type { HubParts } from "../../../context";
import type { ChangeServices } from "../changes";

/** The parts of the hub that live reports use. */
export type LiveHub = Pick<HubParts, "db" | "log" | "now"> & { services: ChangeServices };
