import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type Generation, generationSql } from "./generation";

/** A generation with the number of its newest lease, 0 if it never had one. */
export type StoredGeneration = Generation & { fence: number };

/**
 * Returns a generation of the account; throws 404 `generation_not_found` for a missing, foreign or malformed id alike.
 */
export async function getStoredGeneration(ctx: Ctx, id: string): Promise<StoredGeneration> {
  const rows = isId(id)
    ? await ctx.hub.db.query<StoredGeneration>(
        `SELECT ${generationSql}, g.fence FROM generation g WHERE g.id = $1 AND g.account_id = $2`,
        [id, ctx.account.id],
      )
    : [];
  if (!rows[0]) throw new AppError("generation_not_found");
  return rows[0];
}
