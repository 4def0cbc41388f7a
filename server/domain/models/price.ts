import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { type Nano, toEuros } from "../../lib/money";
import { checkInput } from "../model-inputs";
import { type Estimate, estimateCost, listPricedParameters } from "../pricing";
import { createQuote } from "../quotes";
import { chooseRoutes } from "../routing";
import type { ModelsHub } from "./hub";
import { getModel } from "./offered-models";

/**
 * Returns the hold of a generation with this input in EUR, without creating one (specification, section 4.2). Throws,
 * in this order, 404, 400 and 422.
 */
export const priceInput = (ctx: Ctx<ModelsHub>, id: string, input: Record<string, unknown>) =>
  serializeEstimate(estimateInput(ctx, id, input));

/** Returns the hold like `priceInput`, with a quote that holds it; null for a text model, whose chats take none. */
export async function quoteInput(ctx: Ctx<ModelsHub>, id: string, input: Record<string, unknown>) {
  const { model, cost, price } = estimateInput(ctx, id, input);
  const quote = price.by === "token" ? null : await createQuote(ctx, { model, input }, price);
  return { ...serializeEstimate({ cost }), quote };
}

function estimateInput(ctx: Ctx<ModelsHub>, id: string, input: Record<string, unknown>) {
  const model = getModel(ctx, id);
  checkInput(model, input);
  chooseRoutes(ctx.hub, model, input);
  return { model, ...estimateCost(ctx.hub, model, input) };
}

const serializeEstimate = ({ cost }: Pick<Estimate, "cost">) => ({
  estimated_cost: toEuros(cost),
  currency: "EUR" as const,
});

/** Returns the hold of a generation with this input in EUR; null if the hub would reject it. */
export function findPrice(ctx: Ctx<ModelsHub>, id: string, input: Record<string, unknown>): number | null {
  try {
    return priceInput(ctx, id, input).estimated_cost;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

const MAX_TRIED = 12;
const MAX_FOUND = 3;

/** One other value of a parameter, with the price in EUR of an input that has it. */
interface CheaperInput {
  parameter: string;
  value: unknown;
  estimated_cost: number;
}

/**
 * Returns changes of one parameter that bring an input's price down to `available`, the most expensive first, because it
 * is likely to be the best; none for a large input, whose checks take long.
 */
export function findCheaperInputs(
  ctx: Ctx<ModelsHub>,
  { model: id, input }: { model: string; input: Record<string, unknown> },
  available: Nano,
): CheaperInput[] {
  const { pricing, parametersSchema } = getModel(ctx, id);
  if (pricing.by !== "tier" || ctx.isLarge) return [];
  const changes = listPricedParameters(pricing).flatMap((parameter) => {
    const values = Object.hasOwn(parametersSchema.properties, parameter)
      ? parametersSchema.properties[parameter]!.enum
      : undefined;
    return Array.isArray(values) ? values.map((value: unknown) => ({ parameter, value })) : [];
  });
  return changes
    .slice(0, MAX_TRIED)
    .flatMap((change) => {
      const price = findPrice(ctx, id, { ...input, [change.parameter]: change.value });
      return price !== null && price <= toEuros(available) ? [{ ...change, estimated_cost: price }] : [];
    })
    .sort((a, b) => b.estimated_cost - a.estimated_cost)
    .slice(0, MAX_FOUND);
}
