import type { z } from "@hono/zod-openapi";
import { oncePer } from "../../lib/once-per";

/** Tells whether a body of this schema may be left out, because none of its members is required: it reads as `{}`. */
export const isOptionalBody = oncePer((schema: z.ZodType): boolean => schema.safeParse({}).success);
