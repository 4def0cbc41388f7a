import { type Ctx, onlyKeyOf } from "../../context";
import { array, bool, int4, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { getStoredGeneration } from "../generations/read";
import { eraseContent } from "./erase-content";
import type { ErasureHub } from "./hub";

/**
 * Erases the content of a generation of the account, or of the key if it sees only its own. Repeating it changes nothing.
 * Throws a 404 `generation_not_found`, and a 409 `invalid_state` for a generation that has not ended.
 */
export async function eraseGeneration(ctx: Ctx<ErasureHub>, id: string): Promise<void> {
  const { status, id: found } = await getStoredGeneration(ctx, id);
  if ((await eraseContent(ctx.hub, [found])) === 0)
    throw new AppError("invalid_state", `It is ${status}: cancel it, or wait until it has ended.`);
}

/** Erases the content of those of these generations that are the account's and have ended. Returns how many have and have not. */
export async function eraseGenerations(
  ctx: Ctx<ErasureHub>,
  ids: string[],
): Promise<{ erased: number; unfinished: number }> {
  const found = await selectOwn(ctx.hub.db, ids.filter(isId), ctx.account.id, onlyKeyOf(ctx.actor));
  const ended = found.flatMap(({ id, has_ended }) => (has_ended ? [id] : []));
  return { erased: await eraseContent(ctx.hub, ended), unfinished: found.length - ended.length };
}

const selectOwn = statement({
  params: [array(uuid), int4, nullable(uuid)],
  row: { id: uuid, has_ended: bool },
  text: `
    SELECT id, completed_at IS NOT NULL AS has_ended FROM generation
    WHERE id = ANY ($1::uuid[]) AND account_id = $2 AND ($3::uuid IS NULL OR key_id = $3)`,
});
