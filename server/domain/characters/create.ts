import type { Prisma } from "../../../prisma/client/client";
import type { Ctx } from "../../context";
import { checkFields } from "./base-model";
import type { Character, CharacterFields } from "./character";
import { getCharacter } from "./get";

/** Inserts a draft, without a hold. Throws the errors of `checkFields`. */
export async function createCharacter(ctx: Ctx, fields: CharacterFields): Promise<Character> {
  checkFields(ctx, fields);
  const { name, base_model, trigger_word, images, parameters } = fields;
  const now = ctx.hub.now();
  const owner = { accountId: ctx.account.id, createdAt: now, updatedAt: now };
  const written = {
    name,
    baseModel: base_model,
    triggerWord: trigger_word,
    images,
    parameters: parameters as Prisma.InputJsonObject,
  };
  const { id } = await ctx.hub.db.prisma.character.create({ data: { ...owner, ...written }, select: { id: true } });
  return getCharacter(ctx, String(id));
}
