import { isObject } from "../../lib/is-object";
import type { Model } from "../../catalogue/model";
import { invalidInput } from "../../errors";
import { priceUnits } from "../../catalogue/price-units";
import { toSizeParameters } from "./picture-size";

type Input = Record<string, unknown>;

/** Returns the members that the caller has set: OpenAI's clients send null for those that they leave to the server. */
export const givenMembers = (body: Input): Input =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));

const hasParameter = ({ parametersSchema }: Model, name: string) => Object.hasOwn(parametersSchema.properties, name);

/** Values of parameters that are OpenAI's defaults, as text; many programs always send them. */
type Defaults = Record<string, readonly string[]>;

const PICTURE_DEFAULTS: Defaults = {
  background: ["auto"],
  moderation: ["auto"],
  output_compression: ["100"],
  output_format: ["png"],
  quality: ["auto", "standard"],
  style: ["vivid"],
};
export const SPEECH_DEFAULTS: Defaults = { response_format: ["mp3"], speed: ["1"] };
export const TRANSCRIPTION_DEFAULTS: Defaults = { temperature: ["0"], timestamp_granularities: ["segment"] };

/** Returns the parameters without those that the model does not have and whose value is OpenAI's default. */
export const withoutDefaults = (model: Model, input: Input, defaults: Defaults): Input =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) =>
        hasParameter(model, name) || !Object.hasOwn(defaults, name) || !defaults[name]!.includes(String(value)),
    ),
  );

/**
 * Returns the model's input for OpenAI's parameters of a picture. `size` and `n` become the model's parameters; the others keep
 * their names. Drops `user` (an end user's id) and OpenAI's defaults if the model does not have the parameter.
 */
export function toPictureInput(model: Model, body: Input): Input {
  const { n, size, user, stream, ...rest } = givenMembers(body);
  if (stream !== undefined && stream !== false)
    throw invalidInput("stream", "must be false: pictures are not streamed");
  const countName = n === undefined ? undefined : findCountParameter(model);
  return {
    ...withoutDefaults(model, rest, PICTURE_DEFAULTS),
    ...(user !== undefined && hasParameter(model, "user") && { user }),
    ...(countName !== undefined && { [countName]: n }),
    ...(size !== undefined && toSizeParameters(model, size)),
  };
}

const COUNT_NAMES = ["n", "num_images", "num_outputs", "number_of_images", "batch_size"];

const MAX_GENERATIONS = 10;

/** Returns how many generations `n` pictures take: one if the model generates several at once. Throws 400 for an invalid `n`. */
export function countGenerations(model: Model, n: unknown): number {
  if (findCountParameter(model)) return 1;
  if (Number.isInteger(n) && (n as number) >= 1 && (n as number) <= MAX_GENERATIONS) return n as number;
  throw invalidInput("n", `must be a whole number from 1 to ${MAX_GENERATIONS}`);
}

/** Returns the parameter that sets how many pictures the model generates; undefined if it always generates one. */
function findCountParameter(model: Model): string | undefined {
  const { pricing } = model;
  const { unit = null, quantity = null } = pricing.by === "tier" ? pricing : {};
  const priced =
    quantity?.from === "number" && unit && priceUnits[unit].delivered?.measure === "pictures"
      ? quantity.parameter
      : quantity?.from === "megapixels"
        ? quantity.times
        : null;
  return priced ?? COUNT_NAMES.find((known) => hasParameter(model, known));
}

/** A parameter of a model that takes files. */
interface FileParameter {
  name: string;
  isList: boolean;
}

/**
 * Returns the first of these names that is a parameter for files. If there is none, returns the model's first such parameter
 * (`others` is "any"), or null.
 */
export function findFileParameter(
  { parametersSchema }: Model,
  names: string[],
  others: "any" | "none",
): FileParameter | null {
  const found = Object.entries(parametersSchema.properties).flatMap(([name, property]): FileParameter[] => {
    const isList = isObject(property.items) && property.items.format === "uri";
    return isList || property.format === "uri" ? [{ name, isList }] : [];
  });
  const named = names.flatMap((name) => found.find((parameter) => parameter.name === name) ?? []);
  return named[0] ?? (others === "any" ? (found[0] ?? null) : null);
}

/** Converts a text of a form to the type of the model's parameter. A text that does not fit stays, and is rejected later. */
export function convertText(model: Model, name: string, text: string): unknown {
  const property = hasParameter(model, name) ? model.parametersSchema.properties[name]! : {};
  const types = [property.type].flat();
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
