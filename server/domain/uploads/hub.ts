import type { HubParts } from "../../context";
import type { FilesHub } from "../files";

/** What uploads need of the hub. */
export type UploadsHub = Pick<HubParts, "db" | "env" | "log" | "now" | "storage"> & FilesHub;
