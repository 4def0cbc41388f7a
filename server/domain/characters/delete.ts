import type { Ctx } from "../../context";
import { NEVER_EXPIRES } from "../files/never-expires";
import { isBusy } from "./character";
import { getCharacter } from "./get";
import { invalidState } from "./invalid-state";

const DAY_MS = 86_400_000;

/**
 * Deletes a character; what it has learned is from now on like any other output, with an end. 409 `invalid_state`
 * while a training is under way.
 */
export async function deleteCharacter(ctx: Ctx, id: string): Promise<void> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isBusy(character)) throw invalidState(character, "deleted");
    const now = ctx.now();
    const until = new Date(now.getTime() + ctx.env.OUTPUT_TTL_DAYS * DAY_MS);
    if ((await ctx.db.query(statement, [character.id, character.version, now, until])).length > 0) return;
  }
}

const statement = `
  WITH gone AS (
    UPDATE character SET deleted_at = $3, version = version + 1
    WHERE id = $1 AND version = $2 AND deleted_at IS NULL RETURNING id
  ),
  freed AS (
    UPDATE file SET expires_at = $4 FROM gone JOIN generation g ON g.character_id = gone.id
    WHERE file.generation_id = g.id AND file.expires_at = '${NEVER_EXPIRES}'
  )
  SELECT id FROM gone`;
