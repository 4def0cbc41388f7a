import { z } from "@hono/zod-openapi";
import { MAX_INPUTS } from "../../domain/batches";
import { BatchWebhookInput } from "../../domain/endpoints";
import { statuses } from "../../domain/generations/row";
import { LabelInput } from "../../domain/labels";
import { RetentionInput } from "../../domain/retention";
import { isObject } from "../../lib/is-object";
import { exampleGeneration } from "./example-generation";
import { Priority } from "./generation";
import { currency, euros, modelId, nextCursor, page, time, uuid } from "./values";

export const Batch = z
  .object({
    id: uuid.openapi({ description: "The `batch_id` of its generations" }),
    model: modelId,
    status: z.enum(["running", "completed", "canceled"]).openapi("BatchStatus", {
      description: "`completed`: all generations have ended. `canceled`: those that had not started were canceled",
    }),
    counts: z
      .object(Object.fromEntries(statuses.map((status) => [status, z.int().nonnegative()])))
      .openapi("BatchCounts", { description: "How many generations have each status" }),
    estimated_cost: euros.openapi({ description: "Maximum cost of all its generations in EUR" }),
    billed_cost: euros.openapi({ description: "What its settled generations cost so far, in EUR" }),
    currency,
    created_at: time,
    completed_at: time.nullable().openapi({ description: "When the last generation ended; null until then" }),
  })
  .openapi("Batch", {
    example: {
      id: exampleGeneration.id,
      model: exampleGeneration.model,
      status: "running",
      counts: { queued: 60, running: 4, awaiting_supply: 0, succeeded: 35, failed: 1, canceled: 0 },
      estimated_cost: 0.92,
      billed_cost: 0.322,
      currency: "EUR",
      created_at: exampleGeneration.created_at,
      completed_at: null,
    },
  });

export const BatchRequest = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(200)
      .openapi({ description: "Id of a model from the model list", example: "sandbox-image" }),
    inputs: z
      .array(z.custom<Record<string, unknown>>(isObject, "must be an object"))
      .min(1)
      .max(MAX_INPUTS)
      .openapi({
        type: "array",
        items: { $ref: "#/components/schemas/ModelInput" },
        minItems: 1,
        maxItems: MAX_INPUTS,
        description: "The input of each generation",
        example: [{ prompt: "a lighthouse at dusk" }, { prompt: "a lighthouse at dawn" }],
      }),
    max_cost: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .openapi({ description: "Rejects the batch if its estimate is higher, in EUR", example: 2 }),
    webhook: BatchWebhookInput.optional(),
    priority: Priority.optional(),
    ...RetentionInput,
    ...LabelInput,
  })
  .openapi("BatchRequest");

export const BatchQuery = z.object(page());

export const BatchPage = z
  .object({ data: z.array(Batch).openapi({ description: "Newest first" }), next_cursor: nextCursor })
  .openapi("BatchPage");
