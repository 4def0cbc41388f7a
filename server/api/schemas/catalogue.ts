import { z } from "@hono/zod-openapi";
import { time } from "./values";

export const AdminCatalogue = z
  .object({
    revision: z.int().nullable().openapi({ description: "Null if none was applied", example: 7 }),
    source: z.string().openapi({ description: "YAML", example: "models: []\n" }),
    file: z.string().nullable().openapi({
      description: "`HUB_CATALOGUE`: the file that is used instead of an applied catalogue",
      example: null,
    }),
  })
  .openapi("AdminCatalogue");

export const AppliedCatalogue = z.object({ revision: z.int().openapi({ example: 8 }) }).openapi("AppliedCatalogue");

export const CheckedCatalogue = z
  .object({
    issues: z
      .array(
        z.object({
          line: z.int().openapi({ example: 3 }),
          path: z.string().openapi({ example: "models[0].id" }),
          message: z.string().openapi({ example: "is required" }),
        }),
      )
      .openapi({ description: "With issues, the catalogue cannot be applied" }),
    warnings: z.array(z.string()).openapi({ example: ["provider openai is left out: OPENAI_API_KEY is not set"] }),
    changes: z
      .array(
        z.object({
          model: z.string().openapi({ example: "flux" }),
          kind: z.enum(["added", "removed", "changed"]),
          settings: z.array(
            z.object({
              setting: z.string().openapi({ example: "pricing.tiers[0].price" }),
              before: z.string().nullable().openapi({ example: null }),
              after: z.string().nullable().openapi({ example: "0.003" }),
            }),
          ),
        }),
      )
      .openapi({ description: "Compared with the applied catalogue; at most 300" }),
  })
  .openapi("CheckedCatalogue");

export const CatalogueRevisions = z
  .object({
    data: z.array(
      z.object({
        id: z.int().openapi({ example: 7 }),
        applied_at: time,
        operator: z.string().nullable().openapi({ description: "Who applied it", example: "backend" }),
        reason: z.string().nullable().openapi({ example: "New prices" }),
      }),
    ),
  })
  .openapi("CatalogueRevisions");
