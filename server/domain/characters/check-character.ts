import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { rejectInput } from "../models/reject-input";
import { findLearnedCharacter } from "./find-learned";
import { acceptsCharacter, isCompatible } from "./accepts-character";

/** 400 `invalid_input` at `input.character` unless it names a ready character of the account that this model understands. */
export async function checkCharacter(ctx: Ctx, model: Model, { character }: Record<string, unknown>): Promise<void> {
  if (character === undefined || !acceptsCharacter(model)) return;
  const learned = await findLearnedCharacter(ctx, ctx.account.id, character);
  if (!learned || learned.deleted) rejectInput("input", [["character", "names no ready character of this account"]]);
  if (!isCompatible(model.id, learned.base_model)) {
    rejectInput("input", [["character", `was trained by ${learned.base_model}, which this model does not understand`]]);
  }
}
