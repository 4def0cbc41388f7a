import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { toEuros } from "../../lib/money";
import { insertManyWithHold, type NewGeneration, type Training } from "../generations/insert-with-hold";
import { dispatchQueued } from "../generations/dispatch-queued";
import { buildGeneration } from "../generations/build-generation";
import { insufficientCreditsError } from "../generations/start";
import { queueSupplied } from "../supply/queue-supplied";
import { getBaseModel } from "./base-model";
import { type Character, trainingInput } from "./character";
import { getCharacter } from "./get";
import type { ResumeState } from "./resume-state";
import { remainingTraining } from "./remaining-training";
import { writeFields } from "./write-fields";

/**
 * Accepts a training of the character as it is here, holds its estimate, and keeps these fields, all in one commit.
 * Answers the character as accepted; null when somebody else has moved it meanwhile. Errors in this order: 404
 * `model_not_found`, 400, 422, 400 `max_cost`, 402.
 */
export async function startTraining(
  ctx: Ctx,
  character: Character,
  { left = null, maxCost = Infinity }: { left?: ResumeState | null; maxCost?: number },
): Promise<Character | null> {
  const training = await draftTraining(ctx, character, left);
  const { id, estimated_cost, status } = training;
  if (toEuros(estimated_cost) > maxCost) {
    throw invalidInput("max_cost", `must be at least the estimate, which is ${toEuros(estimated_cost)} EUR`);
  }
  await ctx.storage.checkRoom();
  const verdict = await ctx.db.transaction(async (tx) => {
    if ((await tx.query(lock, [character.id, character.version])).length === 0) return "moved";
    const [verdict] = await insertManyWithHold(tx, [training]);
    if (verdict === "accepted") await writeFields(tx, character, training.created_at);
    return verdict;
  });
  if (verdict === "insufficient_credits") throw await insufficientCreditsError(ctx, estimated_cost);
  if (verdict !== "accepted") return null;
  if (status !== "awaiting_supply") {
    dispatchQueued(ctx, training);
    return begun(character, training);
  }
  // What arrived before its row was there did not find it.
  await queueSupplied(ctx.hub, { id });
  return getCharacter(ctx, String(character.id));
}

/** As it is now, although a worker may have taken it by the time that somebody looks. */
const begun = (character: Character, training: NewGeneration & Training): Character => ({
  ...character,
  version: training.character_version,
  updated_at: training.created_at,
  generation_id: training.id,
  training: training.status,
  estimated_cost: training.estimated_cost,
  progress: training.progress,
  error: null,
  missing: [],
});

async function draftTraining(
  ctx: Ctx,
  character: Character,
  left: ResumeState | null,
): Promise<NewGeneration & Training> {
  const { id, version, base_model } = character;
  const model = getBaseModel(ctx, base_model);
  const input = trainingInput(character);
  const whole = await buildGeneration(ctx, { model: base_model, input }, { idempotency: null, root: "character" });
  const training = { ...whole, character_id: id, character_version: version + 1, checkpoint: null };
  return left ? { ...training, ...remainingTraining(ctx, model, left) } : training;
}

// Who would change it meanwhile waits, and sees that it has moved.
const lock = "SELECT FROM character WHERE id = $1 AND version = $2 AND deleted_at IS NULL FOR NO KEY UPDATE";
