import type { HubParts } from "../../context";
import type { EndHub } from "../generations/end";
import type { InputFilesHub } from "../input-files";
import type { UploadsHub } from "../uploads";

/** The parts of the hub that inputs use. */
export type InputsHub = Pick<HubParts, "db" | "env" | "now" | "storage"> & EndHub & UploadsHub & InputFilesHub;
