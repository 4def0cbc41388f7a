import { megapixelsOf } from "../../catalogue/megapixels";
import type { PictureSize, Pricing, Quantity } from "../../catalogue/pricing";
import { readQuantity } from "../../catalogue/read-quantity";
import { toEuros } from "../../lib/money";
import type { TierPrice } from "./price";

/**
 * Returns how many units an input asks for, as a frozen price has it. The input is validated and completed with defaults, so
 * that every parameter of the quantity has a value within its bounds.
 */
export function measureQuantity(
  quantity: Quantity,
  input: Record<string, unknown>,
): Pick<TierPrice, "quantity" | "pictures" | "input_megapixels"> {
  switch (quantity.from) {
    case "max":
      return { quantity: quantity.count };
    case "number":
      return { quantity: toEuros(readQuantity(input[quantity.parameter])!) };
    case "characters":
      return { quantity: [...(input[quantity.parameter] as string)].length / quantity.size };
    case "megapixels": {
      const pictures = quantity.times === null ? 1 : Number(input[quantity.times]);
      const inputs = Object.entries(quantity.inputs).map(([name, each]) => countFiles(input[name]) * each);
      const inputMegapixels = inputs.reduce((sum, one) => sum + one, 0);
      const total = pictures * (measureSize(quantity.size, input) + inputMegapixels);
      return { quantity: total, pictures, input_megapixels: inputMegapixels };
    }
  }
}

function measureSize(size: PictureSize, input: Record<string, unknown>): number {
  if ("megapixels" in size) return size.megapixels.get(JSON.stringify(input[size.parameter]))!;
  return megapixelsOf(Number(input[size.width]), Number(input[size.height]));
}

const countFiles = (value: unknown): number => (Array.isArray(value) ? value.length : value ? 1 : 0);

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
