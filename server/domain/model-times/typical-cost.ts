import type { OfferedModel } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { exampleInput } from "../model-inputs";
import { findPrice, type ModelsHub, serializePrices } from "../models";

/** A chat of a few paragraphs. */
const CHAT_TOKENS = { input: 1_000, output: 500 };
const MILLION = 1_000_000;

/**
 * Returns what a usual run of a model costs the account in EUR: a chat of 1,000 tokens of input and 500 of output, or the smallest
 * valid input with its defaults. Null for a model whose input needs a file, or that no route serves now.
 */
export function findTypicalCost(ctx: Ctx<ModelsHub>, model: OfferedModel): number | null {
  const prices = serializePrices(ctx.hub, model);
  if (prices.by !== "token") return findPrice(ctx, model.id, exampleInput(model));
  const cost = (prices.input * CHAT_TOKENS.input + prices.output * CHAT_TOKENS.output) / MILLION;
  return Number(cost.toFixed(9));
}
