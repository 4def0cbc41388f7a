import { z } from "@hono/zod-openapi";

export const time = z.iso
  .datetime()
  .openapi({ description: "ISO 8601, UTC, milliseconds", example: "2026-11-21T08:00:00.000Z" });
export const euros = z.number().openapi({ description: "EUR, exact to 1e-9", example: 0.0092 });
export const currency = z.literal("EUR").openapi("Currency");
export const uuid = z.uuid().openapi({ example: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10" });
export const modelId = z
  .string()
  .openapi({ description: "Id of a model from the model list", example: "sandbox-image" });
/** A named schema or null. `.nullable()` would make the named schema itself nullable, wherever it is used. */
export const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);
export const input = z.record(z.string(), z.unknown()).openapi("ModelInput", {
  description: "Parameters of the model, as its `parameters_schema` says",
  example: { prompt: "a lighthouse at dusk", resolution: "1k" },
});

/** How many things a page has: an integer in the query. */
export const limit = (fallback: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from 1 to ${most}`)
    .transform(Number)
    .pipe(z.int().min(1, "must be at least 1").max(most, `must be at most ${most}`))
    .default(fallback)
    .openapi({ type: "integer", minimum: 1, maximum: most, default: fallback });
