import type { Ctx } from "../../context";
import { queueSupplied } from "../supply/queue-supplied";
import { type Character, isResumable, getCharacterStatus } from "./character";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";
import { findResumeState } from "./resume-state";
import { startTraining } from "./start-training";

/**
 * Goes on with a training that failed or was canceled, from its last checkpoint, priced on what is left. One that
 * awaits supply is looked at again: it is queued if all is there, else 409 `invalid_state` with what is missing. Any
 * other state is 409 too; then the errors of `train`.
 */
export async function resumeCharacter(ctx: Ctx, id: string): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isResumable(character)) {
      const resumed = await startTraining(ctx, character, { left: await findResumeState(ctx, character) });
      if (resumed) return resumed;
      continue;
    }
    if (getCharacterStatus(character) !== "awaiting_supply") throw invalidState(character, "resumed");
    await queueSupplied(ctx.hub, { id: character.generation_id! });
    const looked = await getCharacter(ctx, id);
    if (getCharacterStatus(looked) === "awaiting_supply") throw invalidState(looked, "resumed");
    // Else somebody has canceled it in this moment.
    if (!isResumable(looked)) return looked;
  }
}
