import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { cancelStoredGeneration } from "../generations/cancel";
import type { Generation } from "../generations/generation";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";

/**
 * Cancels the training and returns its generation (specification, section 4.3): used GPU time is billed, capped at the
 * estimate. A training that is already canceled is returned unchanged. Throws a 409 `invalid_state` in any other state.
 */
export async function cancelCharacter(ctx: Ctx, id: string): Promise<Generation> {
  const character = await getCharacter(ctx, id);
  if (character.generation_id === null) throw invalidState(character, "canceled");
  try {
    return await cancelStoredGeneration(ctx, character.generation_id);
  } catch (error) {
    const ended = isAppError(error) && error.code === "generation_not_cancelable";
    throw ended ? invalidState(await getCharacter(ctx, id), "canceled") : error;
  }
}
