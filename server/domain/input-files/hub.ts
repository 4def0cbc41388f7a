import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { FilesHub } from "../files";

/** What input files need of the hub. */
export type InputFilesHub = Pick<HubParts, "db" | "fetch" | "now" | "storage"> & Secrets & FilesHub;
