import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { WorkQueue } from "../../lib/work-queue";

/** The services for files that the requests of one process share. */
export interface FileServices {
  /** Makes thumbnails, a few at a time and each once. */
  thumbnails: WorkQueue;
}

/** The parts of the hub that files use. */
export type FilesHub = Pick<HubParts, "catalogue" | "db" | "env" | "log" | "now" | "storage"> &
  Secrets & {
    services: FileServices;
  };
