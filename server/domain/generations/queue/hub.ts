import type { HubParts } from "../../../context";
import type { PricingHub } from "../../pricing";
import type { RoutingHub } from "../../routing";

/** What the requests of one process share of the queue. */
export interface QueueServices {
  /** Whether generations may wait for routes, as far as this process knows, and how many waits it has recorded. */
  routeWaits: { exist: boolean; recorded: number };
}

/** Returns the services of the queue. */
export const createQueueServices = (): QueueServices => ({ routeWaits: { exist: false, recorded: 0 } });

/** What the queue needs of the hub. */
export type QueueHub = Pick<HubParts, "catalogue" | "db" | "env" | "log" | "now" | "publish" | "tracing"> &
  PricingHub &
  RoutingHub & {
    services: QueueServices;
  };
