import { z } from "zod";
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  listCovers,
  listFavouriteIds,
  listItems,
  MAX_COLLECTION_NAME_LENGTH,
  renameCollection,
  setItems,
} from "../domain/collections";
import { toListItem } from "../domain/generations/read";
import { byId, contentProcedure, cursor, pageOrFirst, procedure, router } from "./procedure";

const PAGE = 20;
/** As many as a page of a list can have selected. */
const MAX_IDS = 100;

/** Null for the favourites. */
const collection = z.uuid().nullable();
const name = z
  .string()
  .trim()
  .min(1, "is required")
  .max(MAX_COLLECTION_NAME_LENGTH, `must have at most ${MAX_COLLECTION_NAME_LENGTH} characters`);

export const collections = router({
  /** Lists the collections, and how many of the generations `ids` are in each. */
  list: contentProcedure
    .input(z.object({ ids: z.array(z.uuid()).max(MAX_IDS).default([]) }))
    .query(({ ctx, input }) => listCollections(ctx, input.ids)),

  /** Returns the newest generation of each collection. */
  covers: contentProcedure.query(async ({ ctx }) =>
    (await listCovers(ctx)).map(({ collection_id, ...generation }) => ({
      collection: collection_id,
      generation: toListItem(ctx.hub, generation),
    })),
  ),

  get: contentProcedure.input(byId).query(({ ctx, input }) => getCollection(ctx, input.id)),

  items: contentProcedure.input(z.object({ collection, cursor })).query(async ({ ctx, input }) => {
    const { data, next_cursor } = await pageOrFirst(input.cursor, (cursor) =>
      listItems(ctx, { collection: input.collection, cursor, limit: PAGE }),
    );
    return { data: data.map((generation) => toListItem(ctx.hub, generation)), next_cursor };
  }),

  /** Returns the ids of all favourites, so that any list can show its stars. */
  favourites: procedure("read").query(({ ctx }) => listFavouriteIds(ctx)),

  create: procedure("develop")
    .input(z.object({ name }))
    .mutation(({ ctx, input }) => createCollection(ctx, input.name)),

  rename: procedure("develop")
    .input(byId.extend({ name }))
    .mutation(({ ctx, input }) => renameCollection(ctx, input)),

  delete: procedure("develop")
    .input(byId)
    .mutation(({ ctx, input }) => deleteCollection(ctx, input.id)),

  setItems: procedure("develop")
    .input(z.object({ collection, ids: z.array(z.uuid()).min(1).max(MAX_IDS), isIn: z.boolean() }))
    .mutation(({ ctx, input }) => setItems(ctx, input)),
});
