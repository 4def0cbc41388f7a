import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { WorkQueue } from "../../lib/work-queue";

/** What the requests of one process share of files. */
export interface FileServices {
  /** Makes thumbnails, a few at a time and each once. */
  thumbnails: WorkQueue;
}

/** What files need of the hub. */
export type FilesHub = Pick<HubParts, "catalogue" | "db" | "env" | "log" | "now" | "storage"> &
  Secrets & {
    services: FileServices;
  };
