import type { HubParts } from "../../context";
import type { EndHub } from "../generations/end";
import type { InputFilesHub } from "../input-files";
import type { UploadsHub } from "../uploads";

/** What inputs need of the hub. */
export type InputsHub = Pick<HubParts, "db" | "env" | "now" | "storage"> & EndHub & UploadsHub & InputFilesHub;
