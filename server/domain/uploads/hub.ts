import type { HubParts } from "../../context";
import type { FilesHub } from "../files";

/** The parts of the hub that uploads use. */
export type UploadsHub = Pick<HubParts, "db" | "env" | "log" | "now" | "storage"> & FilesHub;
