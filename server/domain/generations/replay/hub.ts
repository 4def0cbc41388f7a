import type { HubParts } from "../../../context";
import type { Durability } from "../../../db/durability";
import type { ReplayServices } from "./joinable-lookup";

/** What replays need of the hub. */
export type ReplayHub = Pick<HubParts, "db" | "longWork" | "now" | "previousSecret" | "secret"> & {
  services: Durability & ReplayServices;
};
