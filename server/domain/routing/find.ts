import type { Model, Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { unsupportedParameters } from "./unsupported-parameters";

/** The routes that can serve the model now, and this input if one is given, in the operator's order; perhaps none. */
export const findRoutes = (hub: Pick<Hub, "providers">, model: Model, input?: Record<string, unknown>): Route[] =>
  model.routes.filter(
    (route) => serves(hub, model, route) && (!input || unsupportedParameters(route, input).length === 0),
  );

function serves({ providers }: Pick<Hub, "providers">, { isLlm }: Model, { provider }: Route): boolean {
  // Its jobs wait until a worker comes for them.
  if (provider.kind === "worker") return true;
  const kind = providers[provider.kind];
  return (isLlm ? kind?.chat : kind?.submit) !== undefined;
}
