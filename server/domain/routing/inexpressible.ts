import { isDeepStrictEqual } from "node:util";
import type { Route } from "../../catalogue/model";

/** The parameters whose values this route cannot express; what a customer leaves out counts with its default. */
export function inexpressible(
  { accepts, defaults }: Pick<Route, "accepts" | "defaults">,
  input: Record<string, unknown>,
): string[] {
  const whole = { ...defaults, ...input };
  return Object.keys(accepts).filter(
    (name) =>
      Object.hasOwn(whole, name) && !accepts[name]!.some((accepted) => isDeepStrictEqual(accepted, whole[name])),
  );
}
