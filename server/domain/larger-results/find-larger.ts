import { isObject } from "../../lib/is-object";
import type { Model } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { findModel, findPrice, listModels, type ModelsHub } from "../models";
import { findLargerInput } from "./larger-input";

type Input = Record<string, unknown>;

interface Result {
  model: string;
  input: Input;
  /** The URL of a picture that it made; absent for other results. */
  picture?: string;
}

interface Larger {
  model: string;
  /** The name of the model, if it enlarges the picture; null if the result's own model makes another one. */
  enlarger: string | null;
  /** What it costs at most, in EUR. */
  cost: number;
}

/**
 * Returns how to make a result larger: with the first model that enlarges its picture, otherwise with its own model and the
 * next size; null if the hub would accept neither.
 */
export function findLarger(ctx: Ctx<ModelsHub>, { model, input, picture }: Result): Larger | null {
  for (const other of picture === undefined ? [] : listModels(ctx)) {
    const enlarging = findEnlargingInput(other, picture!);
    const cost = enlarging && findPrice(ctx, other.id, enlarging);
    if (cost !== null) return { model: other.id, enlarger: other.name, cost };
  }
  const offered = findModel(ctx, model);
  const larger = offered && findLargerInput(offered.parametersSchema, input);
  const cost = larger && findPrice(ctx, model, larger);
  return cost === null ? null : { model, enlarger: null, cost };
}

/** The names that models give to the parameter for the scale. */
const SCALE = /^((up)?scale(_(factor|by))?|upscaling_factor|target_resolution)$/;

/**
 * Returns the input with which a model enlarges a picture; null unless it makes pictures from pictures, requires only a
 * picture, and has a parameter for the scale.
 */
function findEnlargingInput(
  { isLlm, inputModalities, outputModalities, parametersSchema }: Model,
  picture: string,
): Input | null {
  const { required: [name, ...others] = [], properties } = parametersSchema;
  const makesPictures = !isLlm && inputModalities.includes("image") && outputModalities.includes("image");
  const hasScale = Object.keys(properties).some((one) => SCALE.test(one));
  if (!makesPictures || !hasScale || name === undefined || others.length > 0) return null;
  const isFile = (schema: unknown) => isObject(schema) && schema.format === "uri";
  if (isFile(properties[name])) return { [name]: picture };
  return isFile(properties[name]?.items) ? { [name]: [picture] } : null;
}
