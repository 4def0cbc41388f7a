import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";

/** Ends a key: it fails from the very next request on. 404 for one that is not the account's, or revoked already. */
export async function revokeKey(ctx: Ctx, id: string): Promise<void> {
  const revoked = isId(id)
    ? await ctx.db.query(
        "UPDATE api_key SET revoked_at = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id",
        [id, ctx.account.id, ctx.now()],
      )
    : [];
  if (revoked.length === 0) throw new AppError("resource_not_found", "There is no such key, or it is revoked already.");
}
