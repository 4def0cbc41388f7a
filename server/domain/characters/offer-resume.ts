import type { Ctx } from "../../context";
import { type Nano, toEuros } from "../../lib/money";
import { estimate } from "../pricing/estimate";
import { isWorkerModel } from "./base-model";
import { type Character, hasStopped } from "./character";
import { findLeft } from "./left";
import { restOf } from "./rest-of";

/**
 * What a resume would hold at this moment, in EUR, and from which progress it would go on, null when anew. Null when
 * there is nothing to resume, or its model is no longer on offer.
 */
export async function offerResume(
  ctx: Ctx,
  character: Character,
): Promise<{ estimated_cost: number; from: number | null } | null> {
  const model = ctx.catalogue.get(character.base_model);
  if (!hasStopped(character) || !model || !isWorkerModel(model)) return null;
  const left = await findLeft(ctx, character);
  const cost: Nano = left ? restOf(ctx, model, left).estimated_cost : estimate(ctx, model, {}).cost;
  return { estimated_cost: toEuros(cost), from: left?.progress ?? null };
}
