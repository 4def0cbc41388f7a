import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndHub } from "../generations/end";
import type { IntakeHub } from "../generations/intake";

/** What characters need of the hub. */
export type CharactersHub = Pick<HubParts, "db" | "env" | "now" | "storage"> & Secrets & IntakeHub & EndHub;
