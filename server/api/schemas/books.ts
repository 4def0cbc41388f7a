import { z } from "@hono/zod-openapi";
import { euros } from "./values";

const limit = z.int().nullable().openapi({ description: "Null for the limit of the hub", example: null });

export const AdminBooks = z
  .object({
    revision: z.int().nullable().openapi({ description: "Null if none was applied", example: 3 }),
    source: z.string().openapi({ description: "YAML", example: "books: []\n" }),
    books: z.array(
      z.object({
        id: z.string().openapi({ example: "partners" }),
        name: z.string().openapi({ example: "Partners" }),
        accounts: z.int().openapi({ description: "Accounts that are on it, or will be", example: 12 }),
        multipliers: z.array(
          z.object({
            models: z.string().openapi({ example: "gpt-*" }),
            multiplier: z.number().openapi({ example: 1.25 }),
          }),
        ),
        fixed: z.array(z.string()).openapi({ description: "Models with a fixed price", example: ["flux-schnell"] }),
        volume_discounts: z.array(
          z.object({
            from: euros.openapi({ description: "What was charged in the month, in EUR", example: 100 }),
            discount: z.number().openapi({ description: "A part of the price", example: 0.05 }),
          }),
        ),
        running: limit,
        requests_per_minute: limit,
        tokens_per_minute: limit,
        trial_credit: euros.openapi({ example: 5 }),
      }),
    ),
  })
  .openapi("AdminBooks");

export const CheckedBooks = z
  .object({
    issues: z
      .array(
        z.object({
          line: z.int().openapi({ example: 3 }),
          path: z.string().openapi({ example: "books[0].id" }),
          message: z.string().openapi({ example: "is required" }),
        }),
      )
      .openapi({ description: "With issues, the books cannot be applied" }),
    books: z.array(z.string()).openapi({ description: "Ids of valid books", example: ["partners"] }),
  })
  .openapi("CheckedBooks");
