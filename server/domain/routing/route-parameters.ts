import { isDeepStrictEqual } from "node:util";
import type { Route } from "../../catalogue/model";

/** Returns the JSON Pointer (RFC 6901) of a parameter in a request body. */
export const inputPointer = (name: string): string => `/input/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Returns the input with the route's parameter names; omitted parameters get the default values that were priced. */
export const toUpstreamInput = (
  { rename, defaults }: Pick<Route, "rename" | "defaults">,
  input: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<unknown>({ ...defaults, ...input }).map(([name, value]) => [
      Object.hasOwn(rename, name) ? rename[name]! : name,
      value,
    ]),
  );

/** Returns the name of the upstream model that serves an input on this route; empty if the kind needs none. */
export const chooseUpstreamModel = (
  { upstreamModel }: Pick<Route, "upstreamModel">,
  _input: Record<string, unknown>,
): string => upstreamModel ?? "";

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
