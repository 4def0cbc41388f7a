import type { HubParts } from "../../context";
import type { FilesHub } from "../files";
import type { ReadHub } from "../generations/read";
import type { ReplayHub } from "../generations/replay";

/** What erasures need of the hub. */
export type ErasureHub = Pick<HubParts, "db" | "jobEngine" | "log" | "now" | "secret" | "storage" | "tombstones"> &
  FilesHub &
  ReadHub &
  ReplayHub;
