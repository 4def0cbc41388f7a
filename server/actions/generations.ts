import { cancelStoredGeneration } from "../domain/generations/cancel";
import { serializeGeneration } from "../domain/generations/serialize-generation";
import { defineItemAction } from "./action";

export const generationActions = {
  cancel: defineItemAction({
    access: "develop",
    cost: "write",
    run: async (ctx, { id }) => serializeGeneration(ctx.hub, await cancelStoredGeneration(ctx, id)),
  }),
};
