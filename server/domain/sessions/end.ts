import type { Ctx, Hub } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";

/** Ends the browser's own session on sign-out; does nothing when it has already ended. */
export async function signOut(hub: Hub, sessionId: string): Promise<void> {
  await hub.db.prisma.session.deleteMany({ where: { id: sessionId } });
}

/** Ends one of the caller's sessions: its next request is rejected. Throws a 404 when it does not exist or has ended. */
export async function endSession(ctx: Ctx, id: string): Promise<void> {
  const where = { id, accountId: ctx.account.id };
  const ended = isId(id) ? await ctx.hub.db.prisma.session.deleteMany({ where }) : { count: 0 };
  if (ended.count === 0) throw new AppError("resource_not_found", "This session has already ended.");
}
