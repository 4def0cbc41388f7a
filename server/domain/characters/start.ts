import type { Ctx } from "../../context";
import { type Character, getCharacterStatus } from "./character";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";
import { startTraining } from "./start-training";

/**
 * Starts the training of a draft. `parameters` are added to the character's own, and kept; `maxCost` is the most that
 * the estimate may be, in EUR. 409 `invalid_state` for any other than a draft, then the errors of `train`.
 */
export async function startCharacter(
  ctx: Ctx,
  id: string,
  { parameters, maxCost }: { parameters?: Record<string, unknown>; maxCost?: number },
): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (getCharacterStatus(character) !== "draft") throw invalidState(character, "started");
    const whole = { ...character, parameters: { ...character.parameters, ...parameters } };
    const started = await startTraining(ctx, whole, { maxCost });
    if (started) return started;
  }
}
