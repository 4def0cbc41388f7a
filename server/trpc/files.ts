import { z } from "zod";
import { deleteFile } from "../domain/files/delete";
import { fileKinds, listFiles } from "../domain/files/list";
import { serializeListedFile } from "../domain/files/file";
import { byId, cursor, procedure, router } from "./procedure";

const PAGE = 20;

export const files = router({
  list: procedure.input(z.object({ kind: z.enum(fileKinds).optional(), cursor })).query(async ({ ctx, input }) => {
    const { data, next_cursor } = await listFiles(ctx, { ...input, limit: PAGE });
    return { data: data.map((file) => serializeListedFile(ctx.hub, file)), next_cursor };
  }),

  delete: procedure.input(byId).mutation(({ ctx, input }) => deleteFile(ctx, input.id)),
});
