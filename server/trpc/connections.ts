import {
  allowConnection,
  ConsentInput,
  endConnection,
  listConnections,
  serializeConnection,
} from "../domain/connections";
import { AppError } from "../errors";
import { byId, procedure, router } from "./procedure";

export const connections = router({
  list: procedure("read").query(async ({ ctx }) => (await listConnections(ctx)).map(serializeConnection)),

  /**
   * Allows the app of a page at /oauth/authorize to spend, and returns where the browser goes. Only that page may ask it: a
   * request without an Origin, which other procedures accept from programs, is rejected.
   */
  allow: procedure("develop")
    .meta({ cost: "keys" })
    .input(ConsentInput)
    .mutation(({ ctx, input }) => {
      if (!ctx.isFromOwnPage) throw new AppError("unauthorized", "Send it from a page of this hub, with its Origin.");
      return allowConnection(ctx, input);
    }),

  end: procedure("develop")
    .meta({ cost: "keys" })
    .input(byId)
    .mutation(({ ctx, input }) => endConnection(ctx, input.id)),
});
