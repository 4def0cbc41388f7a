import { list } from "../domain/generations/list";
import { represent } from "../domain/generations/represent";
import { procedure, router } from "./procedure";

const RECENT = 8;

export const generations = router({
  recent: procedure.query(async ({ ctx }) => {
    const { data } = await list(ctx, { limit: RECENT, exclude_llm: false });
    return data.map((generation) => represent(ctx.hub, generation));
  }),
});
