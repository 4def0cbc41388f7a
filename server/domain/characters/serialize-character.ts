import type { Ctx } from "../../context";
import { type Nano, toEurosOrNull } from "../../lib/money";
import { acceptsCharacter, isCompatible, isWorkerModel, listModels } from "../models";
import { estimateCost } from "../pricing";
import { type Character, getCharacterStatus } from "./character";
import type { CharactersHub } from "./hub";

/** Returns the public representation of a character. */
export function serializeCharacter(ctx: Ctx<CharactersHub>, character: Character) {
  const status = getCharacterStatus(character);
  return {
    id: character.id,
    name: character.name,
    status,
    base_model: character.base_model,
    trigger_word: character.trigger_word,
    images: character.images,
    parameters: character.parameters,
    estimated_cost: toEurosOrNull(character.estimated_cost ?? estimateStart(ctx, character)),
    billed_cost: toEurosOrNull(character.billed_cost),
    currency: "EUR" as const,
    progress: character.progress,
    missing: character.missing ?? [],
    error: character.error,
    generation_id: character.generation_id,
    model: status === "ready" ? findCompatibleModel(ctx, character) : null,
    created_at: character.created_at.toISOString(),
    updated_at: character.updated_at.toISOString(),
  };
}

/** Returns what a start would hold now; null when its model is no longer offered. */
function estimateStart(ctx: Ctx<CharactersHub>, { base_model }: Character): Nano | null {
  const model = ctx.hub.catalogue.get(base_model);
  return model && isWorkerModel(model) ? estimateCost(ctx.hub, model, {}).cost : null;
}

/** Returns the first offered model that can use the character; null when there is none. */
const findCompatibleModel = (ctx: Ctx<CharactersHub>, { base_model }: Character): string | null =>
  listModels(ctx).find((model) => acceptsCharacter(model) && isCompatible(model.id, base_model))?.id ?? null;
