import { z } from "zod";
import { aspectRatios, resolutions } from "./sizes";

export const formats = ["png", "webp", "jpeg"] as const;
export const MOST_IMAGES = 4;

/** Input of `sandbox-image` with its defaults; the catalogue's schema tells customers the same. */
export const Input = z.object({
  prompt: z.string(),
  aspect_ratio: z.enum(aspectRatios).default("1:1"),
  resolution: z.enum(resolutions).default("1k"),
  format: z.enum(formats).default("png"),
  image_input: z.array(z.string()).max(MOST_IMAGES).default([]),
});

export type Input = z.infer<typeof Input>;
