import type { HubParts } from "../../context";
import type { InputFilesHub } from "../input-files";

/** The parts of the hub that references use. */
export type ReferencesHub = Pick<HubParts, "catalogue" | "db"> & InputFilesHub;
