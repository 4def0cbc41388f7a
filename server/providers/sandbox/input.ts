import { z } from "zod";

/** Sizes in pixels at 1k, exact in ratio and about one megapixel; edges double at 2k and quadruple at 4k. */
const edges = {
  "1:1": { width: 1024, height: 1024 },
  "16:9": { width: 1344, height: 756 },
  "9:16": { width: 756, height: 1344 },
  "4:3": { width: 1152, height: 864 },
  "3:4": { width: 864, height: 1152 },
};
const scales = { "1k": 1, "2k": 2, "4k": 4 };

type AspectRatio = keyof typeof edges;
type Resolution = keyof typeof scales;

export const aspectRatios = Object.keys(edges) as [AspectRatio, ...AspectRatio[]];
export const resolutions = Object.keys(scales) as [Resolution, ...Resolution[]];

export interface Size {
  width: number;
  height: number;
}

/** Returns the exact size of a picture in pixels. */
export function getSize(ratio: AspectRatio, resolution: Resolution): Size {
  const scale = scales[resolution];
  return { width: edges[ratio].width * scale, height: edges[ratio].height * scale };
}

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
