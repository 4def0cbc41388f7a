import { z } from "@hono/zod-openapi";

export const StreamQuery = z.object({
  webhooks: z
    .enum(["true", "false"], "must be true or false")
    .transform((value) => value === "true")
    .default(true)
    .openapi({
      type: "boolean",
      default: true,
      description: "Whether to send the envelopes of webhooks, and the generations of chats, which come with them",
    }),
});

export const PreviewQuery = z.object({
  n: z
    .string()
    .max(10)
    .optional()
    .openapi({ description: "Makes the URL of each preview differ; the newest one is returned", example: "3" }),
});
