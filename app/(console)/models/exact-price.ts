import type { Model } from "./types";

/** Returns whether a generation always costs its estimate; otherwise the cost depends on what is used or delivered. */
export const isExactPrice = ({ prices }: Pick<Model, "prices">): boolean =>
  prices.by === "tier" && prices.unit === null;
