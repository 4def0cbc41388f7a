import type { HubParts } from "../../context";
import type { RunHub } from "../generations/run";
import type { ModelsHub } from "../models";
import type { WorkerServices } from "./job-waiters";

/** The parts of the hub that workers use. */
export type WorkersHub = Pick<HubParts, "catalogue" | "db" | "env" | "log" | "now" | "presence"> &
  RunHub &
  ModelsHub & {
    services: WorkerServices;
  };
