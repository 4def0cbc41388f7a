import { cancelBatch, serializeBatch } from "../domain/batches";
import { defineItemAction } from "./action";

export const batchActions = {
  cancel: defineItemAction({
    access: "develop",
    cost: "write",
    run: async (ctx, { id }) => serializeBatch(await cancelBatch(ctx, id)),
  }),
};
