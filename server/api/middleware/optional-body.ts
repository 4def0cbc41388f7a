import type { z } from "@hono/zod-openapi";
import { memoizePer } from "../../lib/memoize-per";

/** Tells whether a body of this schema may be left out, because none of its members is required: it reads as `{}`. */
export const isOptionalBody = memoizePer((schema: z.ZodType): boolean => schema.safeParse({}).success);
