import { z } from "@hono/zod-openapi";

export const time = z.iso
  .datetime()
  .openapi({ description: "ISO 8601 in UTC, with milliseconds", example: "2026-11-21T08:00:00.000Z" });
export const euros = z.number().openapi({ description: "EUR, accurate to 1e-9", example: 0.0092 });
export const currency = z.literal("EUR").openapi("Currency");
export const uuid = z.uuid().openapi({ example: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10" });
/** A client's own id: any UUID, whatever made it. Lower case, as the database returns it. */
export const clientUuid = z.guid("must be a UUID").toLowerCase();
export const modelId = z
  .string()
  .openapi({ description: "Id of a model from the model list", example: "sandbox-image" });
/** Returns a schema that also accepts null. `.nullable()` would make the named schema itself nullable everywhere. */
export const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);
export const input = z.record(z.string(), z.unknown()).openapi("ModelInput", {
  description: "Parameters of the model, as described by its `parameters_schema`",
  example: { prompt: "a lighthouse at dusk", resolution: "1k" },
});

export const metadata = z.record(z.string(), z.string()).openapi("Metadata", {
  description: "Your own pairs of a generation",
  example: { team: "blue", run: "7" },
});

/** Returns the schema of a page size in the query: an integer from 1 to `max`. */
export const limit = (defaultLimit: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from 1 to ${max}`)
    .transform(Number)
    .pipe(z.int().min(1, "must be at least 1").max(max, `must be at most ${max}`))
    .default(defaultLimit)
    .openapi({ type: "integer", minimum: 1, maximum: max, default: defaultLimit });

/** The query of a page: its size, and where it begins. */
export const page = (sameQuery = "") => ({
  limit: limit(20, 100),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .openapi({ description: `\`next_cursor\` of the previous page${sameQuery}` }),
});

export const nextCursor = z.string().nullable().openapi({ description: "Null on the last page" });
