import type { RoutingHub, RoutingServices } from "./hub";
import { createRouteHealth } from "./route-health";
import { createRouteTimes } from "./route-times";

/** Returns the services of routing. */
export const createRoutingServices = (hub: RoutingHub): RoutingServices => ({
  routeHealth: createRouteHealth(hub),
  routeTimes: createRouteTimes(hub),
});
