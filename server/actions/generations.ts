import { z } from "zod";
import { cancelStoredGeneration } from "../domain/generations/end";
import { serializeGeneration } from "../domain/generations/read";
import { defineItemAction } from "./action";

/** The body of a cancellation. */
export const CancelRequest = z
  .strictObject({
    stop_running: z.boolean().optional().meta({
      description:
        "Whether to stop a generation that runs at a provider. It may have cost something by then, at most the estimate.",
    }),
  })
  .meta({ id: "CancelRequest" });

export const generationActions = {
  cancel: defineItemAction({
    access: "develop",
    cost: "write",
    body: CancelRequest,
    run: async (ctx, { id, stop_running: stopRunning }) =>
      serializeGeneration(ctx.hub, await cancelStoredGeneration(ctx, id, { stopRunning })),
  }),
};
