import type { Route } from "../../catalogue/model";
import type { HubParts } from "../../context";
import type { BreakerState, RouteFailure } from "./breaker";

/** `usable`, `trial` if the next attempt tries whether the route works again, or for how long it cools down. */
type RouteState = "usable" | "trial" | { waitSeconds: number };

/**
 * The circuit breakers of all routes. A breaker opens after three outages within a minute, at once when the key, the
 * credit or the model is wrong, and for the time that a full provider names. Then one job tries the route. Failures that
 * are due to the job itself never open it (docs/routing.md).
 */
export interface RouteHealth {
  /** Returns the state of a route for one generation. */
  check(routeId: string, generationId: string): RouteState;
  /** Returns whether the breaker of any route is open. */
  hasOpen(): boolean;
  /** Records which generation tries the route; the others wait for this many seconds. */
  beginTrial(routeId: string, generationId: string, seconds: number): void;
  endTrial(routeId: string): void;
  /** Records that a route has answered an attempt that began then. */
  recordSuccess(route: Route, startedAt: Date): void;
  recordFailure(route: Route, failure: RouteFailure, startedAt: Date): void;
  /** Applies what another process has stored, unless this one knows something newer. */
  restore(routeId: string, stored: BreakerState, changedAt: Date): void;
}

/** How long work takes at the routes of models whose routing is `fastest`. */
export interface RouteTimes {
  /** Returns the median seconds of the last hour's successes at a route of the catalogue; undefined if there are none. */
  find(model: string, entry: number): number | undefined;
  /** Reads the times now. */
  refresh(): Promise<void>;
}

/** The services for routing that the requests of one process share. */
export interface RoutingServices {
  /** The circuit breakers of routes. */
  routeHealth: RouteHealth;
  routeTimes: RouteTimes;
}

/** The parts of the hub that routing uses. */
export type RoutingHub = Pick<HubParts, "catalogue" | "db" | "log" | "now" | "providers"> & {
  services: RoutingServices;
};
