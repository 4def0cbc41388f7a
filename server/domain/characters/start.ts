import type { Ctx } from "../../context";
import { type Character, getCharacterStatus } from "./character";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";
import { startTraining } from "./start-training";

/**
 * Starts the training of a draft. `parameters` are merged into the character's and saved; `maxCost` limits the estimate, in
 * EUR. Throws a 409 `invalid_state` unless the character is a draft, then the errors of `startTraining`.
 */
export async function startCharacter(
  ctx: Ctx,
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
