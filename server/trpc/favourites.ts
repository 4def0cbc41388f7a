import { z } from "zod";
import { listFavouriteIds, listFavourites, setFavourite } from "../domain/favourites";
import { toListItem } from "../domain/generations/read";
import { contentProcedure, cursor, pageOrFirst, procedure, router } from "./procedure";

const PAGE = 20;

export const favourites = router({
  /** Returns the ids of all favourites, so that any list can show its stars. */
  ids: procedure("read").query(({ ctx }) => listFavouriteIds(ctx)),

  list: contentProcedure.input(z.object({ cursor })).query(async ({ ctx, input }) => {
    const { data, next_cursor } = await pageOrFirst(input.cursor, (cursor) =>
      listFavourites(ctx, { cursor, limit: PAGE }),
    );
    return { data: data.map((generation) => toListItem(ctx.hub, generation)), next_cursor };
  }),

  set: procedure("develop")
    .input(z.object({ id: z.uuid(), isFavourite: z.boolean() }))
    .mutation(({ ctx, input }) => setFavourite(ctx, input)),
});
