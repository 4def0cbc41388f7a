import { z } from "zod";
import { describeGeneration } from "../describe-generation";
import * as schemas from "../schemas";
import { defineTool, readOnly } from "../tool";

export const getGenerationTool = defineTool({
  name: "get_generation",
  title: "Get a generation",
  description:
    "Returns the status, cost and outputs of a generation, after waiting for its end if wait_seconds is given.",
  annotations: readOnly,
  input: z.object({
    id: schemas.generationId,
    wait_seconds: schemas.waitSeconds(0),
    inline_images: schemas.inlineImages,
  }),
  output: schemas.generation,
  handler: (exchange, { id, ...options }) => describeGeneration(exchange, id, options),
});
