import { cancelStoredGeneration } from "../domain/generations/end/cancel";
import { serializeGeneration } from "../domain/generations/read/serialize-generation";
import { defineItemAction } from "./action";

export const generationActions = {
  cancel: defineItemAction({
    access: "develop",
    cost: "write",
    run: async (ctx, { id }) => serializeGeneration(ctx.hub, await cancelStoredGeneration(ctx, id)),
  }),
};
