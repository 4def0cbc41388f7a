import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { rejectInput } from "../models/reject-input";
import { findLearnedCharacter } from "./find-learned";
import { acceptsCharacter, isCompatible } from "./accepts-character";

/** Throws a 400 `invalid_input` at `input.character` unless it is a ready character of the account that suits the model. */
export async function checkCharacter(ctx: Ctx, model: Model, { character }: Record<string, unknown>): Promise<void> {
  if (character === undefined || !acceptsCharacter(model)) return;
  const learned = await findLearnedCharacter(ctx.hub, ctx.account.id, character);
  if (!learned || learned.deleted) rejectInput("input", [["character", "is not a ready character of this account"]]);
  if (!isCompatible(model.id, learned.base_model)) {
    rejectInput("input", [
      ["character", `was trained by ${learned.base_model}, whose characters this model cannot use`],
    ]);
  }
}
