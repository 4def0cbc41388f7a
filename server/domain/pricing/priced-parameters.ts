import type { Pricing, Quantity } from "../../catalogue/pricing";

/** Returns the names of the parameters that a price by tier depends on. */
export function listPricedParameters({ tiers, quantity }: Extract<Pricing, { by: "tier" }>): string[] {
  const matched = tiers.flatMap(({ match }) => Object.keys(match));
  return [...new Set([...(quantity ? listMeasured(quantity) : []), ...matched])];
}

function listMeasured(quantity: Quantity): string[] {
  if (quantity.from === "max") return [];
  if (quantity.from !== "megapixels") return [quantity.parameter];
  const { size, inputs, times } = quantity;
  const sizes = "megapixels" in size ? [size.parameter] : [size.width, size.height];
  return [...(times === null ? [] : [times]), ...sizes, ...Object.keys(inputs)];
}
