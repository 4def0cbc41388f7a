/** Pixels at 1k, each exactly of its ratio and of about one megapixel; 2k and 4k have twice and four times the edge. */
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

/** The exact size in pixels of the picture asked for. */
export function getSize(ratio: AspectRatio, resolution: Resolution): Size {
  const scale = scales[resolution];
  return { width: edges[ratio].width * scale, height: edges[ratio].height * scale };
}
