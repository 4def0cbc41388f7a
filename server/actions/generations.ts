import { cancelStoredGeneration } from "../domain/generations/end";
import { serializeGeneration } from "../domain/generations/read";
import { defineItemAction } from "./action";

export const generationActions = {
  cancel: defineItemAction({
    access: "develop",
    cost: "write",
    run: async (ctx, { id }) => serializeGeneration(ctx.hub, await cancelStoredGeneration(ctx, id)),
  }),
};
