import type { HubParts } from "../../context";
import type { RateServices } from "./rate-limits";

/** What rates need of the hub. */
export type RatesHub = Pick<HubParts, "db" | "metrics" | "now"> & { services: RateServices };
