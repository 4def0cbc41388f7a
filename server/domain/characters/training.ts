import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { queueSupplied } from "../generations/queue";
import { cancelStoredGeneration } from "../generations/end";
import type { Generation } from "../generations/row";
import { getCharacter } from "./find-characters";
import { type Character, getCharacterStatus, invalidState, isResumable } from "./character";
import type { CharactersHub } from "./hub";
import { startTraining } from "./start-training";
import { findResumeState } from "./resume-state";

/**
 * Starts the training of a draft. `parameters` are merged into the character's and saved; `maxCost` limits the estimate, in
 * EUR. Throws a 409 `invalid_state` unless the character is a draft, then the errors of `startTraining`.
 */
export async function startCharacter(
  ctx: Ctx<CharactersHub>,
  id: string,
  { parameters, maxCost }: { parameters?: Record<string, unknown>; maxCost?: number },
): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (getCharacterStatus(character) !== "draft") throw invalidState(character, "started");
    const merged = { ...character, parameters: { ...character.parameters, ...parameters } };
    const started = await startTraining(ctx, merged, { maxCost });
    if (started) return started;
  }
}

/**
 * Resumes a training that failed or was canceled from its last checkpoint, priced for the remaining work. A training that
 * awaits supply is checked again: it is queued when no file is missing, else a 409 `invalid_state` lists what is missing.
 * Throws a 409 in any other state too, and the errors of `startTraining`.
 */
export async function resumeCharacter(ctx: Ctx<CharactersHub>, id: string): Promise<Character> {
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

/**
 * Cancels the training and returns its generation (specification, section 4.3): used GPU time is billed, capped at the
 * estimate. A training that is already canceled is returned unchanged. Throws a 409 `invalid_state` in any other state.
 */
export async function cancelCharacter(ctx: Ctx<CharactersHub>, id: string): Promise<Generation> {
  const character = await getCharacter(ctx, id);
  if (character.generation_id === null) throw invalidState(character, "canceled");
  try {
    return await cancelStoredGeneration(ctx, character.generation_id);
  } catch (error) {
    const ended = isAppError(error) && error.code === "generation_not_cancelable";
    throw ended ? invalidState(await getCharacter(ctx, id), "canceled") : error;
  }
}
