import { getDefaults } from "../../catalogue/subschemas";
import type { HubParts } from "../../context";

/** What a generation's outputs will be, as far as its model and its input determine it. */
interface ExpectedOutput {
  /** Media such as `image` or `video`; empty for a model that is no longer offered. */
  modalities: string[];
  /** Width divided by height; null if the input names no size. */
  ratio: number | null;
  /** How many outputs the input asks for; 1 if it names no number. */
  count: number;
}

/** Returns what to expect of a generation, so that a page can reserve space for its outputs. */
export function expectOutput(
  hub: Pick<HubParts, "catalogue">,
  generation: { model: string; input: Record<string, unknown> },
): ExpectedOutput {
  const model = hub.catalogue.get(generation.model);
  const input = { ...(model && getDefaults(model.parametersSchema)), ...generation.input };
  return { modalities: model?.outputModalities ?? [], ratio: readRatio(input), count: readCount(input) };
}

/** Returns the number that the usual parameters name: `n`, `num_images` or `num_outputs`. */
export function readCount({ n, num_images, num_outputs }: Record<string, unknown>): number {
  const count = Number([n, num_images, num_outputs].find((value) => value !== undefined));
  return Number.isInteger(count) && count >= 1 && count <= MAX_COUNT ? count : 1;
}

/** More are not expected of one generation. */
const MAX_COUNT = 20;

const RATIO = /^(\d{1,5})\s*[:x×/]\s*(\d{1,5})$/i;

/** Returns the ratio that the usual parameters name: `aspect_ratio` 16:9, `size` 1024x768, or `width` and `height`. */
export function readRatio({ aspect_ratio, size, width, height }: Record<string, unknown>): number | null {
  for (const value of [aspect_ratio, size, `${String(width)}x${String(height)}`]) {
    const [, across, down] = (typeof value === "string" && RATIO.exec(value)) || [];
    if (Number(across) > 0 && Number(down) > 0) return Number(across) / Number(down);
  }
  return null;
}
