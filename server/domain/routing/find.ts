import { isDeepStrictEqual } from "node:util";
import type { Model, Route } from "../../catalogue/model";
import type { Hub } from "../../context";

/** The routes that could serve the model now, whatever the input. */
export const usableRoutes = (hub: Pick<Hub, "providers">, model: Model): Route[] =>
  model.routes.filter(({ provider }) => hub.providers[provider.kind] !== undefined);

/** The parameters whose values this route cannot express; what a customer leaves out counts with its default. */
export function inexpressible({ accepts, defaults }: Route, input: Record<string, unknown>): string[] {
  const whole = { ...defaults, ...input };
  return Object.keys(accepts).filter(
    (name) =>
      Object.hasOwn(whole, name) && !accepts[name]!.some((accepted) => isDeepStrictEqual(accepted, whole[name])),
  );
}

/** The routes that can serve this input now, in the operator's order; perhaps none. */
export const findRoutes = (hub: Pick<Hub, "providers">, model: Model, input: Record<string, unknown>): Route[] =>
  usableRoutes(hub, model).filter((route) => inexpressible(route, input).length === 0);
