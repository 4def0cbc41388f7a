import type { Ctx } from "../../context";
import { type Nano, toEuros } from "../../lib/money";
import { estimateCost } from "../pricing/estimate";
import { isWorkerModel } from "../models/worker-model";
import { type Character, isResumable } from "./character";
import { findResumeState, remainingTraining } from "./resume-state";

/**
 * Returns the amount in EUR that a resume would hold now, and the progress from which it would continue (null: from the
 * start). Returns null when there is nothing to resume or the model is no longer offered.
 */
export async function offerResume(
  ctx: Ctx,
  character: Character,
): Promise<{ estimated_cost: number; from: number | null } | null> {
  const model = ctx.hub.catalogue.get(character.base_model);
  if (!isResumable(character) || !model || !isWorkerModel(model)) return null;
  const resumeState = await findResumeState(ctx, character);
  const cost: Nano = resumeState
    ? remainingTraining(ctx, model, resumeState).estimated_cost
    : estimateCost(ctx.hub, model, {}).cost;
  return { estimated_cost: toEuros(cost), from: resumeState?.progress ?? null };
}
