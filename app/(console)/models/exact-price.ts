import type { Model } from "./types";

/** Returns whether a generation costs its estimate; otherwise what was used or delivered may cost less. */
export const isExactPrice = ({ prices }: Pick<Model, "prices">): boolean =>
  prices.by === "tier" && prices.unit === null;
