import { z } from "@hono/zod-openapi";

/** The headers of an operation that makes a generation. */
export const CreationHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .openapi({ description: "Makes retries safe. Required by some API keys.", example: "order-4711" }),
  "X-Hub-Metadata": z
    .string()
    .optional()
    .openapi({ description: "Metadata of the generation, beside that of the body", example: "team=blue, run=7" }),
  "X-Hub-End-User": z
    .string()
    .optional()
    .openapi({ description: "The end user, if the body names none. Required by some API keys.", example: "user-4711" }),
});
