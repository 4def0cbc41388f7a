import { countRejected, listRejected, RejectedFilters, serializeRejectedRequest } from "../domain/rejections";
import { hideMessage } from "./hide-content";
import { byId, cursor, procedure, router } from "./procedure";

const PAGE = 25;

export const requests = router({
  list: procedure("read")
    .input(RejectedFilters.extend({ cursor }))
    .query(async ({ ctx, input }) => {
      const { data, ...page } = await listRejected(ctx, { ...input, limit: PAGE });
      return { data: data.map((request) => hideMessage(ctx.actor, serializeRejectedRequest(request))), ...page };
    }),

  /** Returns how many requests of a key were rejected. */
  countByKey: procedure("read")
    .input(byId)
    .query(({ ctx, input }) => countRejected(ctx, input.id)),
});
