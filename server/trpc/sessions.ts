import { signOutEverywhere } from "../domain/accounts/account";
import { endSession, listSessions } from "../domain/sessions/session";
import { byId, procedure, router } from "./procedure";

export const sessions = router({
  list: procedure.query(({ ctx }) => listSessions(ctx)),

  end: procedure.input(byId).mutation(({ ctx, input }) => endSession(ctx, input.id)),

  endAll: procedure.mutation(({ ctx }) => signOutEverywhere(ctx.hub, ctx.account.id)),
});
