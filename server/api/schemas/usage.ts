import { z } from "@hono/zod-openapi";
import { AllUsageFilter, UsageFilter } from "../../domain/usage";
import { euros, limit, nextCursor, uuid } from "./values";

/** Longer than other cursors, because it contains the values of the groups. */
const cursor = z
  .string()
  .min(1)
  .max(8_192)
  .optional()
  .openapi({ description: "`next_cursor` of the previous page with the same parameters; CSV has no pages" });

const paging = { limit: limit(100, 1_000), cursor };

export const UsageQuery = z.object({ ...UsageFilter, ...paging });
export const AllUsageQuery = z.object({ ...AllUsageFilter, ...paging });

const sums = {
  generations: z.int().openapi({ description: "Settled ones: succeeded, failed or canceled", example: 120 }),
  failed: z.int().openapi({ example: 2 }),
  input_tokens: z.int().openapi({ description: "Of chats, cached ones included", example: 48_000 }),
  cached_input_tokens: z.int().openapi({ example: 12_000 }),
  output_tokens: z.int().openapi({ example: 9_600 }),
  billed: euros.openapi({ description: "Charges in EUR", example: 1.104 }),
};

const group = {
  hour: z.string().optional().openapi({ description: "Its beginning", example: "2026-11-26T08:00:00.000Z" }),
  day: z.string().optional().openapi({ description: "In UTC", example: "2026-11-26" }),
  month: z.string().optional().openapi({ description: "In UTC", example: "2026-11" }),
  model: z.string().optional().openapi({ description: "Id of a model", example: "sandbox-image" }),
  key: uuid.nullable().optional().openapi({ description: "Id of an API key; null for none" }),
  end_user: z
    .string()
    .nullable()
    .optional()
    .openapi({ description: "Null for none, `(other)` for those beyond 10,000 a day", example: "user-4711" }),
};

const describePage = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
  z
    .object({
      data: z.array(
        z
          .object({ ...shape, ...sums })
          .catchall(z.string().nullable())
          .openapi(name.replace("Page", "Row"), {
            description:
              "One combination of the groups that were asked for, and what it has; `metadata.KEY` is a member of that name",
          }),
      ),
      total: z.object(sums).openapi("UsageTotal", { description: "Of all pages" }),
      next_cursor: nextCursor,
    })
    .openapi(name);

export const UsagePage = describePage("UsagePage", group);
export const AllUsagePage = describePage("AllUsagePage", {
  account: z.int().optional().openapi({ description: "Id of an account", example: 1001 }),
  ...group,
});
