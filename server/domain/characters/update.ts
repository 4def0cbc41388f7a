import type { Ctx } from "../../context";
import { checkFields } from "./base-model";
import { type Character, type CharacterFields, isBusy, invalidState } from "./character";
import { getCharacter } from "./get";
import { writeFields } from "./write-fields";

/** Replaces the given fields. Throws a 409 `invalid_state` while a training is in progress. */
export async function updateCharacter(ctx: Ctx, id: string, changes: Partial<CharacterFields>): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isBusy(character)) throw invalidState(character, "changed");
    const changed = { ...character, ...changes };
    // A rename does not revalidate fields that were valid when they were written.
    if (Object.keys(changes).some((field) => field !== "name")) checkFields(ctx, changed);
    if (await writeFields(ctx.hub.db, changed, ctx.hub.now())) return getCharacter(ctx, id);
  }
}
