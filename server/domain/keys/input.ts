import { z } from "zod";

/** What a new key is made from, as REST and the console take it. */
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
        description: "ISO 8601; without it the key never expires",
      }),
    require_idempotency: z.boolean().optional().meta({ description: "Refuse creates without an Idempotency-Key" }),
    spend_limit: z
      .number()
      .positive("must be above zero")
      .max(1_000_000, "must be at most 1000000")
      .nullish()
      .meta({ description: "EUR that it may spend in a period", example: 5 }),
    spend_limit_reset: z
      .enum(["day", "month"])
      .nullish()
      .meta({ description: "The period, in UTC; without it all time" }),
  })
  .meta({ id: "KeyRequest" });
