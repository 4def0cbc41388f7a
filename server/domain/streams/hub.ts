import type { HubParts } from "../../context";
import type { EnvelopesHub } from "../envelopes";
import type { ChangeServices } from "../generations/changes";
import type { ReadHub } from "../generations/read";

/** The parts of the hub that feeds use. */
export type FeedsHub = Pick<HubParts, "db" | "env" | "log" | "now"> &
  ReadHub &
  EnvelopesHub & { services: ChangeServices };
