import type { Ctx } from "../../context";
import { checkFields } from "./base-model";
import type { Character, CharacterFields } from "./character";
import { getCharacter } from "./get";

/** Inserts a draft, without a hold. Throws the errors of `checkFields`. */
export async function createCharacter(ctx: Ctx, fields: CharacterFields): Promise<Character> {
  checkFields(ctx, fields);
  const { name, base_model, trigger_word, images, parameters } = fields;
  const [row] = await ctx.hub.db.query<{ id: number }>(
    `INSERT INTO character (account_id, name, base_model, trigger_word, images, parameters, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING id`,
    [ctx.account.id, name, base_model, trigger_word, images, JSON.stringify(parameters), ctx.hub.now()],
  );
  return getCharacter(ctx, String(row!.id));
}
