import { z } from "zod";
import { aspectRatios, resolutions } from "./sizes";

export const formats = ["png", "webp", "jpeg"] as const;
export const MAX_IMAGES = 4;

/** Input of `sandbox-image` with its defaults; keep it in sync with the schema in `models.ts`. */
export const Input = z.object({
  prompt: z.string(),
  aspect_ratio: z.enum(aspectRatios).default("1:1"),
  resolution: z.enum(resolutions).default("1k"),
  format: z.enum(formats).default("png"),
  /** The training outputs of the character, which the hub substitutes for its id. */
  character: z.object({ outputs: z.array(z.object({ url: z.string(), media_type: z.string() })) }).optional(),
  image_input: z.array(z.string()).max(MAX_IMAGES).default([]),
});

export type Input = z.infer<typeof Input>;
