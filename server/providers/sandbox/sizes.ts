/** Sizes in pixels at 1k, exact in ratio and about one megapixel; edges double at 2k and quadruple at 4k. */
const edges = {
  "1:1": { width: 1024, height: 1024 },
  "16:9": { width: 1344, height: 756 },
  "9:16": { width: 756, height: 1344 },
  "4:3": { width: 1152, height: 864 },
  "3:4": { width: 864, height: 1152 },
};
const scales = { "1k": 1, "2k": 2, "4k": 4 };

export type AspectRatio = keyof typeof edges;
export type Resolution = keyof typeof scales;

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
