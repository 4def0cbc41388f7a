import type { Model } from "../../catalogue/model";
import { invalidInput } from "../../errors";
import { priceUnits } from "../../catalogue/price-units";
import { isSchema } from "../../catalogue/subschemas";
import { toSizeParameters } from "./picture-size";

type Input = Record<string, unknown>;

/** Returns the members that the caller gave: OpenAI's clients send null for those that they leave to the server. */
export const givenMembers = (body: Input): Input =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));

const hasParameter = ({ parametersSchema }: Model, name: string) => Object.hasOwn(parametersSchema.properties, name);

/** The values by which programs say what is so anyway at OpenAI; many always send them. */
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

/** Returns the parameters without those that the model does not have and that have OpenAI's default. */
export const withoutDefaults = (model: Model, input: Input, defaults: Defaults): Input =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) =>
        hasParameter(model, name) || !Object.hasOwn(defaults, name) || !defaults[name]!.includes(String(value)),
    ),
  );

/**
 * Returns the model's input for OpenAI's parameters of a picture: those of the same name pass, `size` and `n` become the
 * model's own. OpenAI's defaults are dropped unless the model has the parameter, and so is `user`, which names an end user.
 */
export function toPictureInput(model: Model, body: Input): Input {
  const { n, size, user, stream, ...rest } = givenMembers(body);
  if (stream !== undefined && stream !== false)
    throw invalidInput("stream", "must be false: pictures are not streamed");
  return {
    ...withoutDefaults(model, rest, PICTURE_DEFAULTS),
    ...(user !== undefined && hasParameter(model, "user") && { user }),
    ...(n !== undefined && toCount(model, n)),
    ...(size !== undefined && toSizeParameters(model, size)),
  };
}

const COUNT_NAMES = ["n", "num_images", "num_outputs", "number_of_images", "batch_size"];

const MAX_GENERATIONS = 10;

/** Returns how many generations `n` pictures take: one for a model that draws several. Throws 400 for other values. */
export function countGenerations(model: Model, n: unknown): number {
  if (findCountParameter(model)) return 1;
  if (Number.isInteger(n) && (n as number) >= 1 && (n as number) <= MAX_GENERATIONS) return n as number;
  throw invalidInput("n", `must be a whole number from 1 to ${MAX_GENERATIONS}`);
}

/** Returns the parameter by which the model draws several pictures; none for a model that draws one. */
function toCount(model: Model, n: unknown): Input {
  const name = findCountParameter(model);
  return name ? { [name]: n } : {};
}

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

/** A parameter that takes files. */
export interface FileParameter {
  name: string;
  isList: boolean;
}

/** Returns the first of the parameters with these names that takes files, else the first that does; null without any. */
export function findFileParameter(
  { parametersSchema }: Model,
  names: string[],
  others: "any" | "none",
): FileParameter | null {
  const found = Object.entries(parametersSchema.properties).flatMap(([name, property]): FileParameter[] => {
    const isList = isSchema(property.items) && property.items.format === "uri";
    return isList || property.format === "uri" ? [{ name, isList }] : [];
  });
  const named = names.flatMap((name) => found.find((parameter) => parameter.name === name) ?? []);
  return named[0] ?? (others === "any" ? (found[0] ?? null) : null);
}

/** Returns a form's text as the type that the model's parameter has; a text that is none stays, and is then rejected. */
export function convertText(model: Model, name: string, text: string): unknown {
  const property = hasParameter(model, name) ? model.parametersSchema.properties[name]! : {};
  const types = [property.type].flat();
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
