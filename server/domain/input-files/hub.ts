import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { FilesHub } from "../files";

/** The parts of the hub that input files use. */
export type InputFilesHub = Pick<HubParts, "db" | "fetch" | "now" | "storage"> & Secrets & FilesHub;
