import { z } from "zod";
import { deleteFiles, fileKinds, fileTypes, listFiles, serializeListedFile } from "../domain/files";
import { contentProcedure, cursor, procedure, router } from "./procedure";

const PAGE = 20;
const MAX_DELETED = 100;

const Filters = z.object({
  kind: z.enum(fileKinds).optional(),
  type: z.enum(fileTypes).optional(),
  q: z.string().max(200).optional(),
});

export const files = router({
  list: contentProcedure.input(Filters.extend({ cursor })).query(async ({ ctx, input }) => {
    const { data, next_cursor } = await listFiles(ctx, { ...input, limit: PAGE });
    return { data: data.map((file) => serializeListedFile(ctx.hub, file)), next_cursor };
  }),

  delete: procedure("develop")
    .input(z.object({ ids: z.array(z.string().max(200)).min(1).max(MAX_DELETED) }))
    .mutation(({ ctx, input }) => deleteFiles(ctx, input.ids)),
});
