import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { toEuros } from "../../lib/money";
import { estimateCost } from "../pricing";
import { chooseRoutes } from "../routing";
import { checkInput } from "../model-inputs";
import type { ModelsHub } from "./hub";
import { getModel } from "./offered-models";

/**
 * Returns the hold of a generation with this input in EUR, without creating one (specification, section 4.2). Throws,
 * in this order, 404, 400 and 422.
 */
export function priceInput(ctx: Ctx<ModelsHub>, id: string, input: Record<string, unknown>) {
  const model = getModel(ctx, id);
  checkInput(model, input);
  chooseRoutes(ctx.hub, model, input);
  return { estimated_cost: toEuros(estimateCost(ctx.hub, model, input).cost), currency: "EUR" as const };
}

/** Returns the hold of a generation with this input in EUR; null if the hub would reject it. */
export function findPrice(ctx: Ctx<ModelsHub>, id: string, input: Record<string, unknown>): number | null {
  try {
    return priceInput(ctx, id, input).estimated_cost;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
