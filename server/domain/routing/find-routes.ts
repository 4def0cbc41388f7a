import { isDeepStrictEqual } from "node:util";
import { isEmbeddingModel, type Model, type Route } from "../../catalogue/model";
import type { HubParts } from "../../context";
import { AppError } from "../../errors";

/** Returns the routes that can serve the model now, and this input if given, in the operator's order; possibly none. */
export const findRoutes = (hub: Pick<HubParts, "providers">, model: Model, input?: Record<string, unknown>): Route[] =>
  model.routes.filter(
    (route) => serves(hub, model, route) && (!input || unsupportedParameters(route, input).length === 0),
  );

function serves({ providers }: Pick<HubParts, "providers">, model: Model, { provider }: Route): boolean {
  // Jobs stay queued until a worker claims them.
  if (provider.kind === "worker") return true;
  if (provider.isRetired || provider.missing.length > 0) return false;
  const kind = providers[provider.kind];
  if (isEmbeddingModel(model)) return kind?.embed !== undefined;
  return (model.isLlm ? kind?.chat : kind?.submit) !== undefined;
}

/**
 * Returns at least one route that can serve this input now, in the operator's order. Throws 422 `no_route_available`
 * with the inputs that no route supports in `unrepresentable`; if each input is supported by some route and only their
 * combination is not, it names all of the combination.
 */
export function chooseRoutes(hub: Pick<HubParts, "providers">, model: Model, input: Record<string, unknown>): Route[] {
  const routes = findRoutes(hub, model, input);
  if (routes.length > 0) return routes;
  const unsupported = findRoutes(hub, model).map((route) => new Set(unsupportedParameters(route, input)));
  const bySome = [...new Set(unsupported.flatMap((names) => [...names]))];
  const byAll = bySome.filter((name) => unsupported.every((names) => names.has(name)));
  const unrepresentable = (byAll.length > 0 ? byAll : bySome).map(inputPointer);
  const detail =
    unrepresentable.length > 0 ? `No route of this model can express ${unrepresentable.join(", ")}.` : undefined;
  throw new AppError("no_route_available", detail, { unrepresentable });
}

/** Returns the JSON Pointer (RFC 6901) of a parameter in a request body. */
export const inputPointer = (name: string): string => `/input/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * Returns the parameters that this route rejects or whose values it does not support. Omitted parameters count with
 * their defaults.
 */
export function unsupportedParameters(
  { accepts, defaults, refuse }: Pick<Route, "accepts" | "defaults" | "refuse">,
  input: Record<string, unknown>,
): string[] {
  const completed = { ...defaults, ...input };
  const unsupported = Object.keys(accepts).filter(
    (name) =>
      Object.hasOwn(completed, name) &&
      !accepts[name]!.some((accepted) => isDeepStrictEqual(accepted, completed[name])),
  );
  return [...unsupported, ...refuse.filter((name) => Object.hasOwn(input, name) && !unsupported.includes(name))];
}
