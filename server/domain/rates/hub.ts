import type { HubParts } from "../../context";
import type { RateServices, TokenServices } from "./rate-limits";

/** What rates need of the hub. */
export type RatesHub = Pick<HubParts, "db" | "metrics" | "now"> & { services: RateServices };

/** What the limits of tokens need of the hub. */
export type TokensHub = Pick<HubParts, "now"> & { services: TokenServices };
