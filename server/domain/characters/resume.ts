import type { Ctx } from "../../context";
import { queueSupplied } from "../generations/queue-supplied";
import { type Character, isResumable, getCharacterStatus } from "./character";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";
import { findResumeState } from "./resume-state";
import { startTraining } from "./start-training";

/**
 * Resumes a training that failed or was canceled from its last checkpoint, priced for the remaining work. A training that
 * awaits supply is checked again: it is queued when no file is missing, else a 409 `invalid_state` lists what is missing.
 * Throws a 409 in any other state too, and the errors of `startTraining`.
 */
export async function resumeCharacter(ctx: Ctx, id: string): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isResumable(character)) {
      const resumed = await startTraining(ctx, character, { resumeState: await findResumeState(ctx, character) });
      if (resumed) return resumed;
      continue;
    }
    if (getCharacterStatus(character) !== "awaiting_supply") throw invalidState(character, "resumed");
    await queueSupplied(ctx.hub, { id: character.generation_id! });
    const current = await getCharacter(ctx, id);
    if (getCharacterStatus(current) === "awaiting_supply") throw invalidState(current, "resumed");
    // A resumable training here was just canceled: try again.
    if (!isResumable(current)) return current;
  }
}
