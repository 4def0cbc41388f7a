import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { cancelStoredGeneration } from "../generations/cancel";
import type { Generation } from "../generations/generation";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";

/**
 * Cancels the training, and answers that generation (specification, section 4.3): GPU time used is billed, capped at
 * the estimate. One that is canceled already is answered as it is; any other state is 409 `invalid_state`.
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
