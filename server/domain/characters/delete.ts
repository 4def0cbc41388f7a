import type { Ctx } from "../../context";
import { int4, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { expireOutputsSql } from "../files/output-sql";
import { isBusy, invalidState } from "./character";
import { getCharacter } from "./get";

const DAY_MS = 86_400_000;

/**
 * Deletes a character; its training outputs then expire like any other output. Throws a 409 `invalid_state` while a
 * training is in progress.
 */
export async function deleteCharacter(ctx: Ctx, id: string): Promise<void> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isBusy(character)) throw invalidState(character, "deleted");
    const now = ctx.hub.now();
    const outputsExpireAt = new Date(now.getTime() + ctx.hub.env.OUTPUT_TTL_DAYS * DAY_MS);
    const deleted = await markDeleted(ctx.hub.db, character.id, character.version, now, outputsExpireAt);
    if (deleted.length > 0) return;
  }
}

const markDeleted = statement({
  params: [int4, int4, timestamptz, timestamptz],
  row: { id: int4 },
  text: `
    WITH deleted_character AS (
      UPDATE character SET deleted_at = $3, version = version + 1
      WHERE id = $1 AND version = $2 AND deleted_at IS NULL RETURNING id
    ),
    ${expireOutputsSql}
    SELECT id FROM deleted_character`,
});
