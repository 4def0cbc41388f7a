import type { HubParts } from "../../../context";
import type { Secrets } from "../../../lib/signature";
import type { ExposureHub } from "../../exposure";
import type { FilesHub } from "../../files";
import type { PricingHub } from "../../pricing";
import type { ChangeServices } from "../changes";
import { createGenerationLookup, type LookupServices } from "./get";
import { createEndWaiters, type WaitServices } from "./wait-for-end";

/** The services for reads that the requests of one process share. */
export type ReadServices = LookupServices & WaitServices;

/** The parts of the hub that reads use. */
export type ReadHub = Pick<HubParts, "catalogue" | "db" | "now"> &
  PricingHub &
  Secrets &
  ExposureHub &
  FilesHub & {
    services: ReadServices;
  };

/** Returns the services of reads. */
export const createReadServices = (hub: Pick<HubParts, "db"> & { services: ChangeServices }): ReadServices => ({
  findGeneration: createGenerationLookup(hub),
  endWaiters: createEndWaiters(hub),
});
