import { z } from "zod";
import { cancelStoredGeneration } from "../../../domain/generations/end";
import { describeGeneration } from "../describe-generation";
import * as schemas from "../schemas";
import { defineTool } from "../tool";

export const cancelGenerationTool = defineTool({
  name: "cancel_generation",
  title: "Cancel a generation",
  description:
    "Cancels a generation that has not started, at no cost, or one that runs on a GPU worker, for the time used.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  cost: "write",
  input: z.object({ id: schemas.generationId }),
  output: schemas.generation,
  async handler(exchange, { id }) {
    await cancelStoredGeneration(exchange.ctx, id);
    return describeGeneration(exchange, id, { wait_seconds: 0, inline_images: false });
  },
});
