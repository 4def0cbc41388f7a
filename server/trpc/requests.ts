import { exposureTo } from "../domain/exposure";
import { countRejected } from "../domain/rejections";
import { listRequests, RequestFilters, serializeRequest } from "../domain/requests";
import { hideRequestContent } from "./hide-content";
import { byId, cursor, procedure, router } from "./procedure";

const PAGE = 25;

export const requests = router({
  list: procedure("read")
    .input(RequestFilters.extend({ cursor }))
    .query(async ({ ctx, input }) => {
      const exposure = exposureTo(ctx.hub, ctx.actor);
      const { data, ...page } = await listRequests(ctx, { ...input, limit: PAGE });
      return { data: data.map((row) => hideRequestContent(ctx.actor, serializeRequest(row, exposure))), ...page };
    }),

  /** Returns how many requests of a key were rejected. */
  countByKey: procedure("read")
    .input(byId)
    .query(({ ctx, input }) => countRejected(ctx, input.id)),
});
