import type { Catalogue } from "../../../catalogue/model";
import type { HubParts } from "../../../context";
import { type ConcurrencyLimit, createConcurrencyLimit } from "../../../lib/concurrency-limit";
import type { PricingHub } from "../../pricing";
import type { RoutingHub } from "../../routing";

/** The services for the queue that the requests of one process share. */
export interface QueueServices {
  /**
   * Whether generations may wait for routes, as far as this process knows, how many waits it has recorded, and the catalogue
   * with which it last dispatched those that wait.
   */
  routeWaits: { exist: boolean; recorded: number; catalogue?: Catalogue };
  /**
   * Admits one transaction at a time that locks a provider with limits, so that those that wait for the lock do not use up the
   * connections.
   */
  placeLimiter: ConcurrencyLimit;
  /** The chats of this process that have taken a place at a provider with limits. */
  chatPlaces: Set<string>;
}

/** Returns the services of the queue. */
export const createQueueServices = (): QueueServices => ({
  routeWaits: { exist: false, recorded: 0 },
  placeLimiter: createConcurrencyLimit(1),
  chatPlaces: new Set(),
});

/** The parts of the hub that the queue uses. */
export type QueueHub = Pick<HubParts, "catalogue" | "db" | "env" | "log" | "now" | "publish" | "tracing"> &
  PricingHub &
  RoutingHub & {
    services: QueueServices;
  };
