import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { RatesHub } from "../rates";
import type { ShareServices } from "./view-counter";

/** The parts of the hub that share links use. */
export type SharesHub = Pick<HubParts, "db" | "env" | "now"> & Secrets & RatesHub & { services: ShareServices };
