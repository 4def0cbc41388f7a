import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndpointsHub } from "../endpoints";
import type { EnvelopesHub } from "../envelopes";
import type { EventsHub } from "../events";
import { type ClaimServices, createClaimBatcher } from "./claim";
import { createAttemptBatcher, type RecordServices } from "./record-attempt";

/** The services for deliveries that the requests of one process share. */
export type DeliveryServices = ClaimServices & RecordServices;

/** The parts of the hub that deliveries use. */
export type DeliveriesHub = Pick<HubParts, "db" | "env" | "fetch" | "log" | "metrics" | "now" | "publish" | "tracing"> &
  Secrets &
  EnvelopesHub &
  EndpointsHub &
  EventsHub & { services: DeliveryServices };

/** Returns the services of deliveries. */
export const createDeliveryServices = (hub: Pick<HubParts, "db" | "now">): DeliveryServices => ({
  claimDelivery: createClaimBatcher(hub),
  recordAttempt: createAttemptBatcher(hub),
});
