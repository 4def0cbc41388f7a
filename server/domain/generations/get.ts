import type { Ctx } from "../../context";
import { int4, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type Generation, generationColumns, generationSql } from "./generation";

/** A generation with the number of its newest lease, 0 if it never had one. */
export type StoredGeneration = Generation & { fence: number };

/**
 * Returns a generation of the account; throws 404 `generation_not_found` for a missing, foreign or malformed id alike.
 */
export async function getStoredGeneration(ctx: Ctx, id: string): Promise<StoredGeneration> {
  const rows = isId(id) ? await selectGeneration(ctx.hub.db, id, ctx.account.id) : [];
  if (!rows[0]) throw new AppError("generation_not_found");
  return rows[0];
}

const selectGeneration = statement({
  params: [uuid, int4],
  row: { ...generationColumns, fence: int4 },
  text: `SELECT ${generationSql}, g.fence FROM generation g WHERE g.id = $1 AND g.account_id = $2`,
});
