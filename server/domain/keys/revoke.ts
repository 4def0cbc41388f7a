import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";

/** Revokes a key: its next request is rejected. Throws a 404 when it is not the account's, or already revoked. */
export async function revokeKey(ctx: Ctx, id: string): Promise<void> {
  const where = { id, accountId: ctx.account.id, revokedAt: null };
  const data = { revokedAt: ctx.hub.now() };
  const revoked = isId(id) ? await ctx.hub.db.prisma.apiKey.updateMany({ where, data }) : { count: 0 };
  if (revoked.count === 0) throw new AppError("resource_not_found", "There is no such key, or it is already revoked.");
}
