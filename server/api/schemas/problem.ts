import { z } from "@hono/zod-openapi";
import { type ErrorCode as Code, errorTable } from "../../errors";
import { ExhaustedBudget } from "./budget";

export const ErrorCode = z.enum(Object.keys(errorTable) as Code[]).openapi("ErrorCode");
const messages = z.array(z.string()).min(1);

/** Content that a generation is waiting for. */
export const MissingContent = z
  .object({
    sha256: z.string().openapi({ description: "SHA-256 of the content in lowercase hex" }),
    kind: z.string().nullable().openapi({ description: "Parameter that names the content", example: "image_input" }),
  })
  .openapi("MissingContent");

/** Specification, section 2.11, with the members that the contract adds. */
export const Problem = z
  .object({
    type: z.url().openapi({
      description: "Explanation of this code",
      example: "https://hub.example/docs/hub/errors#invalid_input",
    }),
    title: z.string(),
    status: z.int().openapi({ format: "int32" }),
    code: ErrorCode,
    detail: z.string().nullable().optional(),
    instance: z.string().optional().openapi({ description: "Path of the request" }),
    errors: z
      .record(z.string(), messages)
      .optional()
      .openapi({ description: "Messages by location", example: { "input.prompt": ["is required"] } }),
    unrepresentable: z
      .array(z.string())
      .min(1)
      .optional()
      .openapi({ description: "JSON Pointers of inputs that no route supports" }),
    missing: z.array(MissingContent).optional().openapi({ description: "Content that the generation is waiting for" }),
    required: z.number().optional().openapi({ description: "Amount in EUR that the request requires" }),
    available: z.number().optional().openapi({ description: "Available balance in EUR" }),
    estimated_cost: z
      .number()
      .optional()
      .openapi({ description: "Amount in EUR that the request would hold without its quote" }),
    batch_id: z.uuid().optional().openapi({ description: "Id of the batch that is still in progress" }),
    budget: ExhaustedBudget.optional(),
    generation_id: z.uuid().optional().openapi({ description: "Id of the generation that is still in progress" }),
  })
  .openapi("Problem");
