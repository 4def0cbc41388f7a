import { z } from "zod";

/** The request body for a new key, in REST and the console. */
export const KeyInput = z
  .strictObject({
    name: z.string().trim().min(1, "must not be empty").max(100, "must have at most 100 characters").meta({
      example: "server",
    }),
    expires_at: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .nullish()
      .meta({
        type: ["string", "null"],
        format: "date-time",
        description: "ISO 8601; omit it for a key that never expires",
      }),
    require_idempotency: z
      .boolean()
      .optional()
      .meta({ description: "Reject create requests without an Idempotency-Key" }),
    spend_limit: z
      .number()
      .positive("must be above zero")
      .max(1_000_000, "must be at most 1000000")
      .nullish()
      .meta({ description: "Maximum spend per period, in EUR", example: 5 }),
    spend_limit_reset: z.enum(["day", "month"]).nullish().meta({
      description: "When the spend limit resets, in UTC; omit it for a limit that never resets",
      example: "month",
    }),
  })
  .meta({ id: "KeyRequest" });
