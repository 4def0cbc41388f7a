import type { Route } from "../../catalogue/model";

/** The input in the route's own words: parameters renamed, and those left out given the value that was priced. */
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
