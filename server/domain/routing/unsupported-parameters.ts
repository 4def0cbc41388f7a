import { isDeepStrictEqual } from "node:util";
import type { Route } from "../../catalogue/model";

/**
 * The parameters that this route refuses, and those whose values it cannot express; what a customer leaves out counts
 * with its default.
 */
export function unsupportedParameters(
  { accepts, defaults, refuse }: Pick<Route, "accepts" | "defaults" | "refuse">,
  input: Record<string, unknown>,
): string[] {
  const whole = { ...defaults, ...input };
  const inexact = Object.keys(accepts).filter(
    (name) =>
      Object.hasOwn(whole, name) && !accepts[name]!.some((accepted) => isDeepStrictEqual(accepted, whole[name])),
  );
  return [...inexact, ...refuse.filter((name) => Object.hasOwn(input, name) && !inexact.includes(name))];
}
