import { endView } from "../domain/views";
import { auditorProcedure, router } from "./procedure";

export const views = router({
  /** Ends the view of the session. */
  stop: auditorProcedure
    .meta({ isForViews: true })
    .mutation(({ ctx }) => endView(ctx.hub, ctx.operator, ctx.actor.sessionId)),
});
