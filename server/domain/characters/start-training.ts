import type { Ctx } from "../../context";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { toEuros } from "../../lib/money";
import { dispatchQueued, queueSupplied } from "../generations/queue";
import {
  buildGeneration,
  insertManyWithHold,
  insufficientCreditsError,
  type NewGeneration,
  type Training,
} from "../generations/intake";
import { writeFields } from "./edit-character";
import { getCharacter } from "./find-characters";
import { getBaseModel } from "./base-model";
import { type Character, trainingInput } from "./character";
import type { CharactersHub } from "./hub";
import { remainingTraining, type ResumeState } from "./resume-state";

/**
 * Inserts a training, holds its estimate and saves the character's fields, all in one transaction. Returns the character
 * with the new training; null when the character was changed concurrently. Throws, in this order, a 404
 * `model_not_found`, 400, 422, 400 `max_cost` and 402.
 */
export async function startTraining(
  ctx: Ctx<CharactersHub>,
  character: Character,
  { resumeState = null, maxCost = Infinity }: { resumeState?: ResumeState | null; maxCost?: number },
): Promise<Character | null> {
  const training = await buildTraining(ctx, character, resumeState);
  const { id, estimated_cost, status } = training;
  if (toEuros(estimated_cost) > maxCost) {
    throw invalidInput("max_cost", `must be at least the estimate, which is ${toEuros(estimated_cost)} EUR`);
  }
  await ctx.hub.storage.checkRoom();
  const outcome = await ctx.hub.db.transaction(async (tx) => {
    if ((await lockCharacter(tx, character.id, character.version)).length === 0) return "changed";
    const [outcome] = await insertManyWithHold(tx, [training]);
    if (outcome === "accepted") await writeFields(tx, character, training.created_at);
    return outcome;
  });
  if (outcome === "insufficient_credits") throw await insufficientCreditsError(ctx, estimated_cost);
  if (outcome !== "accepted") return null;
  if (status !== "awaiting_supply") {
    dispatchQueued(ctx.hub, training);
    return withTraining(character, training);
  }
  // An upload that arrived before the row was committed did not find it, so check again.
  await queueSupplied(ctx.hub, { id });
  return getCharacter(ctx, String(character.id));
}

/** Returns the character with the new training as accepted; a worker may have claimed it already. */
const withTraining = (character: Character, training: NewGeneration & Training): Character => ({
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

async function buildTraining(
  ctx: Ctx<CharactersHub>,
  character: Character,
  resumeState: ResumeState | null,
): Promise<NewGeneration & Training> {
  const { id, version, base_model } = character;
  const model = getBaseModel(ctx, base_model);
  const input = trainingInput(character);
  const generation = await buildGeneration(ctx, { model: base_model, input }, { idempotency: null, root: "character" });
  const training = { ...generation, character_id: id, character_version: version + 1, checkpoint: null };
  return resumeState ? { ...training, ...remainingTraining(ctx, model, resumeState) } : training;
}

// A concurrent change waits for this lock and then finds another version.
const lockCharacter = statement({
  params: [int4, int4],
  row: { id: int4 },
  text: "SELECT id FROM character WHERE id = $1 AND version = $2 AND deleted_at IS NULL FOR NO KEY UPDATE",
});
