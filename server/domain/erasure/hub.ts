import type { HubParts } from "../../context";
import type { FilesHub } from "../files";
import type { ReadHub } from "../generations/read";

/** The parts of the hub that erasures use. */
export type ErasureHub = Pick<HubParts, "db" | "env" | "jobEngine" | "log" | "now" | "tombstones"> & FilesHub & ReadHub;
