import type { Ctx, Hub } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";

/** Ends the browser's own session on sign-out; does nothing when it has already ended. */
export async function signOut(hub: Hub, sessionId: string): Promise<void> {
  await hub.db.query("DELETE FROM session WHERE id = $1", [sessionId]);
}

/** Ends one of the caller's sessions: its next request is rejected. Throws a 404 when it does not exist or has ended. */
export async function endSession(ctx: Ctx, id: string): Promise<void> {
  const ended = isId(id)
    ? await ctx.hub.db.query("DELETE FROM session WHERE id = $1 AND account_id = $2 RETURNING id", [id, ctx.account.id])
    : [];
  if (ended.length === 0) throw new AppError("resource_not_found", "This session has already ended.");
}
