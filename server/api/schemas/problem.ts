import { z } from "@hono/zod-openapi";
import { type ErrorCode as Code, errorTable } from "../../errors";

export const ErrorCode = z.enum(Object.keys(errorTable) as Code[]).openapi("ErrorCode");
const messages = z.array(z.string()).min(1);

/** Content that a generation waits for. */
export const MissingContent = z
  .object({
    sha256: z.string().openapi({ description: "Of the content, in lower-case hexadecimal" }),
    kind: z.string().nullable().openapi({ description: "The parameter that names it", example: "image_input" }),
  })
  .openapi("MissingContent");

/** Specification, section 2.11, with the members that the contract adds. */
export const Problem = z
  .object({
    type: z.url().openapi({
      description: "Where this code is explained",
      example: "https://hub.example/docs/hub/errors#invalid_input",
    }),
    title: z.string(),
    status: z.int().openapi({ format: "int32" }),
    code: ErrorCode,
    detail: z.string().nullable().optional(),
    instance: z.string().optional().openapi({ description: "The request's path" }),
    errors: z
      .record(z.string(), messages)
      .optional()
      .openapi({ description: "Messages by place", example: { "input.prompt": ["is required"] } }),
    unrepresentable: z
      .array(z.string())
      .min(1)
      .optional()
      .openapi({ description: "JSON Pointers of inputs that no route can express" }),
    missing: z.array(MissingContent).optional().openapi({ description: "Content that the generation waits for" }),
    required: z.number().optional().openapi({ description: "EUR that the request needs" }),
    available: z.number().optional().openapi({ description: "EUR that the account has" }),
    generation_id: z.uuid().optional().openapi({ description: "The generation that is still in progress" }),
  })
  .openapi("Problem");
