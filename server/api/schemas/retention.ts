import { z } from "@hono/zod-openapi";

const daysOrNull = z.int().nullable().openapi({ example: 30 });
const retentionDays = {
  input_days: daysOrNull,
  output_days: daysOrNull,
  word_days: daysOrNull,
  label_days: daysOrNull,
  request_log_days: daysOrNull,
};

/** For how many days an account keeps content, and the hub's maxima. */
export const Retention = z
  .object({
    keeps_nothing: z.boolean().openapi({ description: "Whether the content of its generations is erased after use" }),
    ...retentionDays,
    max: z.object(retentionDays).openapi({ description: "The hub's maxima; null for no limit" }),
  })
  .openapi("Retention", { description: "For how many days it keeps content; null for as long as the hub does" });
