import type { HubParts } from "../../context";
import type { InputFilesHub } from "../input-files";

/** What references need of the hub. */
export type ReferencesHub = Pick<HubParts, "catalogue" | "db"> & InputFilesHub;
