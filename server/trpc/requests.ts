import { exposureTo } from "../domain/exposure";
import { countRejected } from "../domain/rejections";
import { listRequests, RequestFilters, serializeRequest } from "../domain/requests";
import { getRetention } from "../domain/retention";
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

  /** Returns for how many days the account's rejected requests are kept. */
  keptDays: procedure("read").query(async ({ ctx }) => {
    const { request_log_days: own, max } = await getRetention(ctx.hub, ctx.account.id);
    return Math.min(own ?? Infinity, max.request_log_days ?? Infinity);
  }),

  /** Returns how many requests of a key were rejected. */
  countByKey: procedure("read")
    .input(byId)
    .query(({ ctx, input }) => countRejected(ctx, input.id)),
});
