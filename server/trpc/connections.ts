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
   * Allows the app on the consent page to spend credit, and returns where the browser goes next. Only that page may call
   * this: a request without an Origin, which other procedures accept from programs, is rejected.
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
