import type { Ctx } from "../../context";
import { type Nano, toEuros } from "../../lib/money";
import { estimateCost } from "../pricing/estimate";
import { isWorkerModel } from "./base-model";
import { type Character, isResumable } from "./character";
import { findResumeState } from "./resume-state";
import { remainingTraining } from "./remaining-training";

/**
 * What a resume would hold at this moment, in EUR, and from which progress it would go on, null when anew. Null when
 * there is nothing to resume, or its model is no longer on offer.
 */
export async function offerResume(
  ctx: Ctx,
  character: Character,
): Promise<{ estimated_cost: number; from: number | null } | null> {
  const model = ctx.catalogue.get(character.base_model);
  if (!isResumable(character) || !model || !isWorkerModel(model)) return null;
  const left = await findResumeState(ctx, character);
  const cost: Nano = left ? remainingTraining(ctx, model, left).estimated_cost : estimateCost(ctx, model, {}).cost;
  return { estimated_cost: toEuros(cost), from: left?.progress ?? null };
}
