import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndHub } from "../generations/end";
import type { IntakeHub } from "../generations/intake";

/** The parts of the hub that characters use. */
export type CharactersHub = Pick<HubParts, "db" | "env" | "now" | "storage"> & Secrets & IntakeHub & EndHub;
