import type { HubParts } from "../../../context";
import type { ChangeServices } from "../changes";

/** What live reports need of the hub. */
export type LiveHub = Pick<HubParts, "db" | "log" | "now"> & { services: ChangeServices };
