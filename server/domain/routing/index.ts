/**
 * Chooses the routes that can serve an input, and their order; contains the circuit breakers of routes and the limits of
 * providers.
 */
export type { RouteFailure } from "./breaker";
export { chooseRoutes, findRoutes, inputPointer, unsupportedParameters } from "./find-routes";
export type { RoutingHub, RoutingServices } from "./hub";
export { getLimitedProviders, hasLimits } from "./limited-providers";
export { createRoutingServices } from "./services";
export { chooseUpstreamModel, toUpstreamInput } from "./route-parameters";
export { type OrderReason, sortRoutes } from "./sort-routes";
export {
  claimTrial,
  pullBackBreakers,
  releaseTrial,
  restoreRouteHealth,
  ROUTE_HEALTH_CHANNEL,
} from "./stored-route-health";
