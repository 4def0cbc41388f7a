import { type Ctx, onlyKeyOf } from "../../context";
import { int4, nullable, textOf, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type Generation, generationColumns, generationSql } from "./generation";
import type { WaitReason } from "./route-waits";

/** A generation as it is stored, with what only its own page and its run need. */
export interface StoredGeneration extends Generation {
  /** The number of its newest lease, 0 if it never had one. */
  fence: number;
  /** How many jobs are before it in the provider's queue; null if that is unknown or it does not wait there. */
  queue_position: number | null;
  /** Why the hub holds it back: the first reason in the alphabet if routes have several; null if it does not. */
  wait_reason: WaitReason | null;
}

/**
 * Returns a generation of the account, or of the key if that sees its own alone; throws 404 `generation_not_found` for a
 * missing, foreign or malformed id alike.
 */
export async function getStoredGeneration(ctx: Ctx, id: string): Promise<StoredGeneration> {
  const rows = isId(id) ? await selectGeneration(ctx.hub.db, id, ctx.account.id, onlyKeyOf(ctx.actor)) : [];
  if (!rows[0]) throw new AppError("generation_not_found");
  return rows[0];
}

const selectGeneration = statement({
  params: [uuid, int4, nullable(uuid)],
  row: {
    ...generationColumns,
    fence: int4,
    queue_position: nullable(int4),
    wait_reason: nullable(textOf<WaitReason>()),
  },
  // Neither attempts nor waits of a generation that has ended are read.
  text: `
    SELECT ${generationSql}, g.fence, (
      SELECT max(a.queue_position) FROM attempt a
      WHERE g.status = 'running' AND a.generation_id = g.id AND a.ended_at IS NULL
    ) AS queue_position, (
      SELECT min(w.reason) FROM route_wait w WHERE g.completed_at IS NULL AND w.generation_id = g.id
    ) AS wait_reason
    FROM generation g WHERE g.id = $1 AND g.account_id = $2 AND ($3::uuid IS NULL OR g.key_id = $3)`,
});
