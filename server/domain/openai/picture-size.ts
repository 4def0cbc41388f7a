import type { Model } from "../../catalogue/model";
import { invalidInput } from "../../errors";

type Input = Record<string, unknown>;

/**
 * Returns the parameters that give a picture this size: the model's own `size`, else `width` and `height`, else the nearest
 * `aspect_ratio` and `resolution` that it lists. Throws 400 when the model has none of them.
 */
export function toSizeParameters({ parametersSchema: { properties } }: Model, size: unknown): Input {
  if (Object.hasOwn(properties, "size")) return { size };
  if (size === "auto") return {};
  const pixels = parseSize(size);
  if (Object.hasOwn(properties, "width") && Object.hasOwn(properties, "height")) return pixels;
  const ratio = findNearest(properties.aspect_ratio, parseRatio, pixels.width / pixels.height);
  const edge = Math.sqrt(pixels.width * pixels.height);
  const short = Math.min(pixels.width, pixels.height);
  const resolution = findNearest(properties.resolution, (text) => parseEdge(text, edge / short), edge);
  if (ratio === null && resolution === null) throw invalidInput("size", "must be omitted: this model chooses the size");
  return { ...(ratio !== null && { aspect_ratio: ratio }), ...(resolution !== null && { resolution }) };
}

const SIZE = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;

function parseSize(size: unknown): { width: number; height: number } {
  const match = typeof size === "string" ? SIZE.exec(size) : null;
  if (!match) throw invalidInput("size", 'must be "auto" or a width and height in pixels such as "1024x1024"');
  return { width: Number(match[1]), height: Number(match[2]) };
}

/** Returns the listed value that is nearest by ratio; null when the parameter lists none that can be parsed. */
function findNearest(
  property: Input | undefined,
  parse: (text: string) => number | null,
  wanted: number,
): string | number | null {
  const values = Array.isArray(property?.enum) ? (property.enum as unknown[]) : [];
  let best: { value: string | number; distance: number } | null = null;
  for (const value of values) {
    if (typeof value !== "string" && typeof value !== "number") continue;
    const parsed = parse(String(value));
    if (parsed === null) continue;
    const distance = Math.abs(Math.log(parsed / wanted));
    if (!best || distance < best.distance) best = { value, distance };
  }
  return best?.value ?? null;
}

function parseRatio(text: string): number | null {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)\s?[:x/]\s?(\d{1,5}(?:\.\d{1,3})?)$/.exec(text);
  return match && positive(Number(match[1]) / Number(match[2]));
}

/**
 * Returns the edge in pixels of a square with the area of a picture at a resolution such as `2k`, `1024`, `720p` or `1 MP`. For
 * `720p`, which is the short side, the edge is that side times `stretch`.
 */
function parseEdge(text: string, stretch: number): number | null {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)\s?(k|p|px|mp)?$/i.exec(text);
  if (!match) return null;
  const [number, unit] = [Number(match[1]), match[2]?.toLowerCase()];
  if (unit === "p") return positive(number * stretch);
  return positive(unit === "k" ? number * 1024 : unit === "mp" ? Math.sqrt(number) * 1024 : number);
}

const positive = (number: number) => (Number.isFinite(number) && number > 0 ? number : null);
