import type { HubParts } from "../../context";
import type { FilesHub } from "../files";
import type { ReadHub } from "../generations/read";

/** What erasures need of the hub. */
export type ErasureHub = Pick<HubParts, "db" | "env" | "jobEngine" | "log" | "now" | "tombstones"> & FilesHub & ReadHub;
