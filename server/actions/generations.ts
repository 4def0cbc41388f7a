import { z } from "zod";
import { cancelStoredGeneration } from "../domain/generations/end";
import { eraseGeneration, eraseGenerations } from "../domain/erasure";
import { serializeGeneration } from "../domain/generations/read";
import { eraseBefore } from "../domain/retention";
import { isoTime } from "../lib/iso-time";
import { defineAction, defineItemAction } from "./action";

/** The body of a cancellation. */
export const CancelRequest = z
  .strictObject({
    stop_running: z.boolean().optional().meta({
      description:
        "Whether to stop a generation that runs at a provider. It may have cost something by then, at most the estimate.",
    }),
  })
  .meta({ id: "CancelRequest" });

/** The generations whose content the console erases at once. */
const SelectionRequest = z.strictObject({ ids: z.array(z.uuid()).min(1).max(100) });

/** Before which time the content of all generations is erased. */
const PastRequest = z.strictObject({ before: isoTime.transform((text) => new Date(text)) });

export const generationActions = {
  /** Erases the content of a generation that has ended. */
  erase: defineItemAction({ access: "develop", cost: "write", run: (ctx, { id }) => eraseGeneration(ctx, id) }),

  /** Erases the content of several; returns how many were erased, and how many have not ended. */
  eraseSelected: defineAction({
    access: "develop",
    cost: "write",
    body: SelectionRequest,
    run: (ctx, { ids }) => eraseGenerations(ctx, ids),
  }),

  /** Erases the content of all generations that were created before a time, in the background. */
  eraseBefore: defineAction({
    access: "manage",
    cost: "write",
    body: PastRequest,
    run: (ctx, { before }) => eraseBefore(ctx.hub, ctx.account.id, before < ctx.hub.now() ? before : ctx.hub.now()),
  }),

  cancel: defineItemAction({
    access: "develop",
    cost: "write",
    body: CancelRequest,
    run: async (ctx, { id, stop_running: stopRunning }) =>
      serializeGeneration(ctx.hub, await cancelStoredGeneration(ctx, id, { stopRunning })),
  }),
};
