import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";

/** Revokes a key: its next request is rejected. Throws a 404 when it is not the account's, or already revoked. */
export async function revokeKey(ctx: Ctx, id: string): Promise<void> {
  const where = { id, accountId: ctx.account.id, revokedAt: null };
  const data = { revokedAt: ctx.hub.now() };
  const revoked = isId(id) ? await ctx.hub.db.prisma.apiKey.updateMany({ where, data }) : { count: 0 };
  if (revoked.count === 0) throw new AppError("resource_not_found", "There is no such key, or it is already revoked.");
}

/** Revokes every key of an account and returns how many. */
export async function revokeKeys(db: Queryable, accountId: number, now: Date): Promise<number> {
  const sql = "UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL RETURNING id";
  return (await db.query(sql, [accountId, now])).length;
}
