import type { HubParts } from "../../context";
import type { RateServices, TokenServices } from "./rate-limits";

/** The parts of the hub that rates use. */
export type RatesHub = Pick<HubParts, "db" | "metrics" | "now"> & { services: RateServices };

/** The parts of the hub that the limits of tokens use. */
export type TokensHub = Pick<HubParts, "now"> & { services: TokenServices };
