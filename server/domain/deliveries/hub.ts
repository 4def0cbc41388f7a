import type { HubParts } from "../../context";
import type { Secrets } from "../../lib/signature";
import type { EndpointsHub } from "../endpoints";
import type { EnvelopesHub } from "../envelopes";
import type { EventsHub } from "../events";
import { type ClaimServices, createClaimBatcher } from "./claim";
import { createAttemptBatcher, type RecordServices } from "./record-attempt";

/** What the requests of one process share of deliveries. */
export type DeliveryServices = ClaimServices & RecordServices;

/** What deliveries need of the hub. */
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
