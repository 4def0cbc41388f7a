import { z } from "zod";
import { createShareLink, listShareLinks, revokeShareLink, serializeShareLink, ShareInput } from "../domain/shares";
import { byId, contentProcedure, cursor, pageOrFirst, procedure, router } from "./procedure";

const PAGE = 20;

export const shares = router({
  list: contentProcedure.input(z.object({ cursor })).query(async ({ ctx, input }) => {
    const { data, next_cursor } = await pageOrFirst(input.cursor, (cursor) =>
      listShareLinks(ctx, { cursor, limit: PAGE }),
    );
    return { data: data.map((link) => serializeShareLink(ctx.hub, link)), next_cursor };
  }),

  create: procedure("develop")
    .input(ShareInput)
    .mutation(({ ctx, input }) => createShareLink(ctx, input)),

  revoke: procedure("develop")
    .input(byId)
    .mutation(({ ctx, input }) => revokeShareLink(ctx, input.id)),
});
