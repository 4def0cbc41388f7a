import type { HubParts } from "../../../context";
import type { Durability } from "../../../db/durability";
import type { ReplayServices } from "./joinable-lookup";

/** The parts of the hub that replays use. */
export type ReplayHub = Pick<HubParts, "db" | "longWork" | "now" | "previousSecret" | "secret"> & {
  services: Durability & ReplayServices;
};
