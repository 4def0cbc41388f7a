import { z } from "zod";

export const MAX_IMAGES = 20;
export const MAX_STEPS = 100;
export const DEFAULT_STEPS = 10;

/** Input of `sandbox-trainer` with its defaults; keep it in sync with the schema in `model.ts`. */
export const Input = z.object({
  images: z.array(z.string()).min(1).max(MAX_IMAGES),
  trigger_word: z.string().default(""),
  steps: z.int().min(1).max(MAX_STEPS).default(DEFAULT_STEPS),
});

export type Input = z.infer<typeof Input>;
