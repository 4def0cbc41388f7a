import type { Model, Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { inputPointer } from "./pointer";
import { findRoutes } from "./find";
import { unsupportedParameters } from "./unsupported-parameters";

/**
 * The routes that can serve this input now, in the operator's order: at least one, or 422 `no_route_available`.
 * Its `unrepresentable` names the inputs that no route can express; where only their combination is at fault,
 * all that took part in it.
 */
export function chooseRoutes(hub: Pick<Hub, "providers">, model: Model, input: Record<string, unknown>): Route[] {
  const routes = findRoutes(hub, model, input);
  if (routes.length > 0) return routes;
  const refused = findRoutes(hub, model).map((route) => new Set(unsupportedParameters(route, input)));
  const some = [...new Set(refused.flatMap((names) => [...names]))];
  const every = some.filter((name) => refused.every((names) => names.has(name)));
  const unrepresentable = (every.length > 0 ? every : some).map(inputPointer);
  const detail =
    unrepresentable.length > 0 ? `No route of this model can express ${unrepresentable.join(", ")}.` : undefined;
  throw new AppError("no_route_available", detail, { unrepresentable });
}
